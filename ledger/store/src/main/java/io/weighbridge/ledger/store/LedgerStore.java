package io.weighbridge.ledger.store;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import io.r2dbc.spi.Option;
import io.weighbridge.ledger.store.feed.LedgerFeed;
import io.weighbridge.ledger.store.migrate.LedgerUpkeep;
import java.time.Duration;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Gives a service its {@link Ledger}. The service itself says which {@link Writer} it is, as a bean. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LedgerSettings.class)
@Import({LedgerFeed.class, LedgerUpkeep.class})
public class LedgerStore {

    private static final Duration ACQUIRE_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration IDLE = Duration.ofMinutes(10);

    @Bean
    Ledger ledger(
            Writer writer,
            LedgerSettings settings,
            ConnectionPool commandPool,
            ConnectionPool readPool,
            ObjectProvider<CommitListener> listeners) {
        CommitListener listener = listeners.getIfAvailable(() -> () -> {});
        return new Ledger(writer, commandPool, readPool, settings.commitTimeout(), listener);
    }

    @Bean(destroyMethod = "dispose")
    ConnectionPool commandPool(LedgerSettings settings) {
        return pool("commands", settings, settings.connections() - settings.connections() / 2);
    }

    @Bean(destroyMethod = "dispose")
    ConnectionPool readPool(LedgerSettings settings) {
        return pool("reads", settings, Math.max(1, settings.connections() / 2));
    }

    private static ConnectionPool pool(String name, LedgerSettings settings, int size) {
        return new ConnectionPool(ConnectionPoolConfiguration.builder(connections(settings))
                .name(name)
                .initialSize(1)
                .maxSize(size)
                .maxIdleTime(IDLE)
                .maxAcquireTime(ACQUIRE_TIMEOUT)
                // After a restart of the server every idle connection may be dead, and each costs one attempt.
                .acquireRetry(size)
                .build());
    }

    /** Connections as the service's login, outside any pool, each with the server-side limits of spec 1.9. */
    public static ConnectionFactory connections(LedgerSettings settings) {
        return ConnectionFactories.get(ConnectionFactoryOptions.parse(settings.url())
                .mutate()
                .option(ConnectionFactoryOptions.USER, settings.username())
                .option(ConnectionFactoryOptions.PASSWORD, settings.password())
                .option(ConnectionFactoryOptions.CONNECT_TIMEOUT, ACQUIRE_TIMEOUT)
                .option(Option.valueOf("applicationName"), settings.username())
                .option(
                        Option.<Map<String, String>>valueOf("options"),
                        Map.of(
                                "lock_timeout",
                                Long.toString(settings.lockTimeout().toMillis()),
                                "transaction_timeout",
                                Long.toString(settings.transactionTimeout().toMillis()),
                                "default_transaction_isolation",
                                "read committed",
                                // Compiling a statement over the oplog's partitions took seconds, running it less
                                // than one millisecond.
                                "jit",
                                "off"))
                .build());
    }
}
