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
import java.util.HashMap;
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
        return new Ledger(writer, commandPool, readPool, settings, listener);
    }

    @Bean(destroyMethod = "dispose")
    ConnectionPool commandPool(LedgerSettings settings) {
        return pool("commands", connections(settings), settings.commandConnections());
    }

    @Bean(destroyMethod = "dispose")
    ConnectionPool readPool(LedgerSettings settings) {
        // A single statement outside a transaction has no other limit.
        Map<String, String> limit = Map.of(
                "statement_timeout", Long.toString(settings.transactionTimeout().toMillis()));
        return pool("reads", connections(settings, limit), settings.readConnections());
    }

    private static ConnectionPool pool(String name, ConnectionFactory connections, int size) {
        return new ConnectionPool(ConnectionPoolConfiguration.builder(connections)
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
        return connections(settings, Map.of());
    }

    private static ConnectionFactory connections(LedgerSettings settings, Map<String, String> more) {
        Map<String, String> options = new HashMap<>(more);
        options.putAll(Map.of(
                "lock_timeout",
                Long.toString(settings.lockTimeout().toMillis()),
                "transaction_timeout",
                Long.toString(settings.transactionTimeout().toMillis()),
                "default_transaction_isolation",
                "read committed",
                // Compiling a statement over the oplog's partitions took seconds, running it less than one millisecond.
                "jit",
                "off"));
        return ConnectionFactories.get(ConnectionFactoryOptions.parse(settings.url())
                .mutate()
                .option(ConnectionFactoryOptions.USER, settings.username())
                .option(ConnectionFactoryOptions.PASSWORD, settings.password())
                .option(ConnectionFactoryOptions.CONNECT_TIMEOUT, ACQUIRE_TIMEOUT)
                .option(Option.valueOf("applicationName"), settings.username())
                .option(Option.<Map<String, String>>valueOf("options"), options)
                .build());
    }
}
