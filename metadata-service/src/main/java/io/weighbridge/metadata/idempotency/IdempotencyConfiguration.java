package io.weighbridge.metadata.idempotency;

import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.metadata.idempotency.postgres.IdempotencyTable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the idempotency of commands is made of. */
@Configuration(proxyBeanMethods = false)
public class IdempotencyConfiguration {

    @Bean
    IdempotentCommands idempotentCommands() {
        return new IdempotentCommands(new IdempotencyTable());
    }

    @Bean
    IdempotencySweep idempotencySweep(Ledger ledger) {
        return new IdempotencySweep(ledger, new IdempotencyTable());
    }
}
