package io.weighbridge.reconciliation;

import io.weighbridge.ledger.http.HttpEdge;
import io.weighbridge.ledger.http.health.ReadinessCheck;
import io.weighbridge.ledger.store.LedgerStore;
import io.weighbridge.ledger.store.Writer;
import io.weighbridge.ledger.store.migrate.LedgerReadiness;
import io.weighbridge.reconciliation.config.ReconciliationConfiguration;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The service's process. It names every part it consists of: several services can share one class path. */
@SpringBootConfiguration(proxyBeanMethods = false)
@Import({HttpEdge.class, LedgerStore.class, ReconciliationConfiguration.class})
public class ReconciliationService {

    public static void main(String[] args) {
        builder().run(args);
    }

    /** The service before it is started, for those who add properties of their own. */
    public static SpringApplicationBuilder builder() {
        return HttpEdge.application(ReconciliationService.class, "weighbridge-reconciliation");
    }

    @Bean
    Writer writer() {
        return Writer.RECONCILIATION;
    }

    @Bean
    ReadinessCheck ledgerReady(LedgerReadiness ledger) {
        return ReadinessCheck.of("ledger", ledger::obstacle);
    }
}
