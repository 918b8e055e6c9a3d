package io.weighbridge.ledger.store.migrate;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * Keeps a place for the oplog's entries of the next days, and drops the days past the retention. Every instance does
 * it; the database lets one at a time, and the others find the work done.
 */
public final class DaysKeeper implements AutoCloseable {

    /** How many days are made ahead (spec 1.9). */
    public static final int AHEAD = 14;

    /** How many whole days are kept (spec 1.9). */
    public static final int RETENTION = 7;

    private static final Logger LOG = LoggerFactory.getLogger(DaysKeeper.class);
    private static final Duration PERIOD = Duration.ofHours(1);
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final ConnectionFactory connections;
    private @Nullable Disposable running;

    /** @param connections outside any pool: once an hour is too seldom to keep one */
    public DaysKeeper(ConnectionFactory connections) {
        this.connections = connections;
    }

    /** Begins now, and goes on every hour until {@link #close()}. */
    public synchronized void start() {
        if (running == null) {
            running = Flux.interval(Duration.ZERO, PERIOD)
                    .onBackpressureDrop()
                    .concatMap(tick -> keep().onErrorResume(error -> {
                        LOG.warn("the oplog's days could not be kept; next try in an hour: {}", error.toString());
                        return Mono.empty();
                    }))
                    .subscribe();
        }
    }

    /** Makes the days ahead and drops the old ones, once. */
    public Mono<Void> keep() {
        return call("SELECT ledger.prepare_days($1)", AHEAD)
                .doOnNext(made -> logChange(made, "made"))
                .then(call("SELECT ledger.drop_days($1)", RETENTION))
                .doOnNext(dropped -> logChange(dropped, "dropped"))
                .then();
    }

    @Override
    public synchronized void close() {
        if (running != null) {
            running.dispose();
            running = null;
        }
    }

    /** The functions wait for a lock only shortly, so that they never hold others up; hence the retry. */
    private Mono<Integer> call(String sql, int days) {
        return Mono.usingWhen(
                        Mono.from(connections.create()),
                        connection -> Flux.from(connection
                                        .createStatement(sql)
                                        .bind("$1", days)
                                        .execute())
                                .concatMap(
                                        result -> result.map(row -> Objects.requireNonNull(row.get(0, Integer.class))))
                                .single(),
                        Connection::close)
                .timeout(LIMIT)
                .retryWhen(Retry.backoff(5, Duration.ofSeconds(1)).maxBackoff(Duration.ofSeconds(30)));
    }

    private static void logChange(int days, String verb) {
        if (days > 0) {
            LOG.info("{} {} oplog partitions", verb, days);
        }
    }
}
