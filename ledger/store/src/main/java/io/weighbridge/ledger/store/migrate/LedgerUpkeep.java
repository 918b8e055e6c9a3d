package io.weighbridge.ledger.store.migrate;

import io.r2dbc.pool.ConnectionPool;
import io.weighbridge.ledger.store.LedgerSettings;
import io.weighbridge.ledger.store.LedgerStore;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.core.DatabaseClient;

/** What every service does for its ledger: verify it at start, keep its days, say whether it is ready. */
@Configuration(proxyBeanMethods = false)
public class LedgerUpkeep {

    @Bean
    SchemaCheck schemaCheck(ConnectionPool readPool, LedgerSettings settings) {
        return new SchemaCheck(DatabaseClient.create(readPool), settings.allowUnsafe());
    }

    @Bean(destroyMethod = "close")
    DaysKeeper daysKeeper(LedgerSettings settings) {
        return new DaysKeeper(LedgerStore.connections(settings));
    }

    @Bean
    LedgerStart ledgerStart(SchemaCheck check, DaysKeeper days) {
        return new LedgerStart(check, days);
    }

    @Bean
    LedgerReadiness ledgerReadiness(SchemaCheck check) {
        return new LedgerReadiness(check);
    }
}
