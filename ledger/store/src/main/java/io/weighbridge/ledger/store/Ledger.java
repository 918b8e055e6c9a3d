package io.weighbridge.ledger.store;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.Option;
import io.r2dbc.spi.TransactionDefinition;
import io.r2dbc.spi.Wrapped;
import io.weighbridge.ledger.problem.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.binding.BindMarkersFactory;
import reactor.core.publisher.Mono;

/**
 * The one way in which a service changes its tables: a transaction that takes its guards first, reads the database's
 * clock, lets a command load, decide and write, and commits. Nothing is answered before the commit (spec 1.5).
 *
 * <p>Commands and reads have connection pools of their own, so that commands that wait for a guard can never use up the
 * connections of readers.
 */
public final class Ledger {

    private static final String CLOCK = "date_trunc('milliseconds', clock_timestamp()) AS now";

    private final Writer writer;
    private final ConnectionFactory commands;
    private final ConnectionFactory reads;
    private final DatabaseClient reader;
    private final Duration commitTimeout;
    private final CommitListener listener;

    public Ledger(
            Writer writer,
            ConnectionFactory commands,
            ConnectionFactory reads,
            Duration commitTimeout,
            CommitListener listener) {
        this.writer = writer;
        this.commands = commands;
        this.reads = reads;
        this.reader = DatabaseClient.builder()
                .connectionFactory(reads)
                .bindMarkers(BindMarkersFactory.indexed("$", 1))
                .build();
        this.commitTimeout = commitTimeout;
        this.listener = listener;
    }

    /**
     * Runs a command in one READ COMMITTED transaction. The work is detached from its caller: a caller that goes away
     * abandons nothing half-way.
     *
     * @param work a refusal is an error signal with a {@link ProblemException} and rolls everything back
     * @return the work's value after the commit; BUSY when a lock could not be had in time, UNAVAILABLE when the
     *     ledger cannot be reached, DURABILITY_FAILED when the commit's outcome is unknown
     */
    public <T> Mono<T> transact(Guards guards, Function<LedgerTransaction, Mono<T>> work) {
        Mono<T> transaction = Mono.usingWhen(
                        commands.create(),
                        connection -> run(connection, guards, work),
                        Connection::close,
                        (connection, error) -> rollback(connection),
                        this::rollback)
                .onErrorMap(SqlErrors::beforeCommit);
        return Mono.deferContextual(context ->
                Mono.fromFuture(() -> transaction.contextWrite(context).toFuture(), true));
    }

    /** Reads outside any transaction: one statement is one snapshot. */
    public DatabaseClient reads() {
        return reader;
    }

    /** Several reads of one snapshot; it writes nothing and holds no watermark. */
    public <T> Mono<T> snapshot(Function<DatabaseClient, Mono<T>> work) {
        return Mono.usingWhen(
                        reads.create(),
                        connection -> Mono.from(connection.beginTransaction(ReadOnlySnapshot.INSTANCE))
                                .then(work.apply(LedgerTransaction.client(connection)))
                                .flatMap(value -> Mono.from(connection.commitTransaction())
                                        .thenReturn(value)),
                        Connection::close,
                        (connection, error) -> rollback(connection),
                        this::rollback)
                .onErrorMap(SqlErrors::beforeCommit);
    }

    /** Translates the errors of a plain read, see {@link #reads()}. */
    public static Throwable readError(Throwable error) {
        return SqlErrors.beforeCommit(error);
    }

    private <T> Mono<T> run(Connection connection, Guards guards, Function<LedgerTransaction, Mono<T>> work) {
        return Mono.from(connection.beginTransaction())
                .then(Mono.defer(() -> clock(connection, guards)))
                .flatMap(now -> {
                    LedgerTransaction transaction = new LedgerTransaction(connection, writer, now);
                    return work.apply(transaction)
                            .map(Optional::of)
                            .defaultIfEmpty(Optional.empty())
                            .flatMap(value -> commit(connection, transaction).then(Mono.justOrEmpty(value)));
                });
    }

    /** The guards, and then the clock: the last row's time is after the last lock. */
    private Mono<Instant> clock(Connection connection, Guards guards) {
        if (guards.keys().isEmpty()) {
            return Mono.from(connection.createStatement("SELECT " + CLOCK).execute())
                    .flatMap(result -> Mono.from(result.map(row -> instant(row.get("now", Instant.class)))));
        }
        String sql = "SELECT %s(k), %s FROM unnest($1::bigint[]) k"
                .formatted(guards.mode().lock(), CLOCK);
        return Mono.from(connection
                        .createStatement(sql)
                        .bind("$1", guards.keys().toArray(Long[]::new))
                        .execute())
                .flatMapMany(result -> result.map(row -> instant(row.get("now", Instant.class))))
                .last();
    }

    private Mono<Void> commit(Connection connection, LedgerTransaction transaction) {
        return Mono.from(connection.commitTransaction())
                .timeout(commitTimeout)
                .onErrorResume(error -> discard(connection).then(Mono.error(SqlErrors.duringCommit(error))))
                .then(Mono.fromRunnable(() -> {
                    if (transaction.hasAppended()) {
                        listener.committed();
                    }
                }));
    }

    private Mono<Void> rollback(Connection connection) {
        return Mono.from(connection.rollbackTransaction())
                .timeout(commitTimeout)
                .onErrorResume(error -> discard(connection))
                .then(Mono.from(connection.close()))
                .onErrorComplete();
    }

    /** Closes the connection itself, under the pool, so that its unknown state never serves another command. */
    private static Mono<Void> discard(Connection connection) {
        Connection raw = connection instanceof Wrapped<?> wrapped && wrapped.unwrap() instanceof Connection inner
                ? inner
                : connection;
        return Mono.from(raw.close()).onErrorComplete();
    }

    private static Instant instant(@Nullable Instant value) {
        return Objects.requireNonNull(value);
    }

    private enum ReadOnlySnapshot implements TransactionDefinition {
        INSTANCE;

        @Override
        public <V> @Nullable V getAttribute(Option<V> option) {
            if (option.equals(TransactionDefinition.ISOLATION_LEVEL)) {
                return option.cast(IsolationLevel.REPEATABLE_READ);
            }
            return option.equals(TransactionDefinition.READ_ONLY) ? option.cast(Boolean.TRUE) : null;
        }
    }
}
