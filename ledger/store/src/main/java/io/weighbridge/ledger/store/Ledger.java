package io.weighbridge.ledger.store;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.IsolationLevel;
import io.r2dbc.spi.Option;
import io.r2dbc.spi.Result;
import io.r2dbc.spi.TransactionDefinition;
import io.r2dbc.spi.Wrapped;
import io.weighbridge.ledger.problem.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
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
 * connections of readers. Of the commands' connections at most half wait for guards, so that one guard held for long
 * stops no other revision's command. The client has time limits of its own besides the server's, since a server that is
 * stopped ends nothing.
 */
public final class Ledger {

    private static final String CLOCK = "date_trunc('milliseconds', clock_timestamp()) AS now";

    /** The server's own time-out comes first, and says more. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final Writer writer;
    private final ConnectionFactory commands;
    private final ConnectionFactory reads;
    private final DatabaseClient reader;
    private final GuardWaiters waiters;
    private final Duration limit;
    private final Duration commitTimeout;
    private final CommitListener listener;

    public Ledger(
            Writer writer,
            ConnectionFactory commands,
            ConnectionFactory reads,
            LedgerSettings settings,
            CommitListener listener) {
        this.writer = writer;
        this.commands = commands;
        this.reads = reads;
        this.reader = DatabaseClient.builder()
                .connectionFactory(reads)
                .bindMarkers(BindMarkersFactory.indexed("$", 1))
                .build();
        this.waiters = new GuardWaiters(settings);
        this.limit = settings.transactionTimeout().plus(GRACE);
        this.commitTimeout = settings.commitTimeout();
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
        Mono<T> transaction = attempt(connection -> guarded(connection, guards), work)
                .onErrorResume(
                        GuardHeldException.class,
                        held -> waiters.admit(attempt(connection -> waited(connection, guards), work)))
                .onErrorMap(SqlErrors::beforeCommit);
        return Mono.deferContextual(context ->
                Mono.fromFuture(() -> transaction.contextWrite(context).toFuture(), true));
    }

    /**
     * Reads outside any transaction: one statement is one snapshot. The server ends a statement that takes longer than
     * the transaction's limit; while the server itself is stopped, a read is bounded by the request that asks for it.
     */
    public DatabaseClient reads() {
        return reader;
    }

    /** Several reads of one snapshot; it writes nothing and holds no watermark. */
    public <T> Mono<T> snapshot(Function<DatabaseClient, Mono<T>> work) {
        return Mono.usingWhen(
                        acquire(reads),
                        connection -> limited(
                                connection,
                                Mono.from(connection.beginTransaction(ReadOnlySnapshot.INSTANCE))
                                        .then(Mono.defer(() -> work.apply(LedgerTransaction.client(connection))))
                                        .flatMap(value -> Mono.from(connection.commitTransaction())
                                                .thenReturn(value))),
                        Connection::close,
                        (connection, error) -> rollback(connection),
                        this::rollback)
                .onErrorMap(SqlErrors::beforeCommit);
    }

    /** Translates the errors of a plain read, see {@link #reads()}. */
    public static Throwable readError(Throwable error) {
        return SqlErrors.beforeCommit(error);
    }

    private <T> Mono<T> attempt(Function<Connection, Mono<Instant>> begun, Function<LedgerTransaction, Mono<T>> work) {
        return Mono.usingWhen(
                acquire(commands),
                connection -> run(connection, begun, work),
                Connection::close,
                (connection, error) -> rollback(connection),
                this::rollback);
    }

    /** The pool's own limit counts anew for each connection that it tries. */
    private Mono<Connection> acquire(ConnectionFactory pool) {
        return Mono.<Connection>from(pool.create()).timeout(limit);
    }

    private record Worked<T>(LedgerTransaction transaction, Optional<T> value) {}

    private <T> Mono<T> run(
            Connection connection,
            Function<Connection, Mono<Instant>> begun,
            Function<LedgerTransaction, Mono<T>> work) {
        Mono<Worked<T>> worked = Mono.from(connection.beginTransaction())
                .then(Mono.defer(() -> begun.apply(connection)))
                .flatMap(now -> {
                    LedgerTransaction transaction = new LedgerTransaction(connection, writer, now);
                    return work.apply(transaction)
                            .map(Optional::of)
                            .defaultIfEmpty(Optional.empty())
                            .map(value -> new Worked<>(transaction, value));
                });
        return limited(connection, worked)
                .flatMap(done -> commit(connection, done.transaction()).then(Mono.justOrEmpty(done.value())));
    }

    /** A connection that does not answer in time is closed: what it still does on it is rolled back by the server. */
    private <T> Mono<T> limited(Connection connection, Mono<T> statements) {
        return statements
                .timeout(limit)
                .onErrorResume(
                        TimeoutException.class, error -> discard(connection).then(Mono.error(error)));
    }

    /** The guards without waiting, and then the clock. */
    private static Mono<Instant> guarded(Connection connection, Guards guards) {
        if (guards.keys().isEmpty()) {
            return Mono.from(connection.createStatement("SELECT " + CLOCK).execute())
                    .flatMap(result -> Mono.from(result.map(row -> instant(row.get("now", Instant.class)))));
        }
        String sql = "SELECT %s(k) AS held, %s FROM unnest($1::bigint[]) k"
                .formatted(guards.mode().tryLock(), CLOCK);
        return locks(connection, sql, guards)
                .flatMapMany(result -> result.map(row -> Boolean.TRUE.equals(row.get("held", Boolean.class))
                        ? Optional.of(instant(row.get("now", Instant.class)))
                        : Optional.<Instant>empty()))
                .collectList()
                .flatMap(rows -> rows.stream().allMatch(Optional::isPresent)
                        ? Mono.justOrEmpty(rows.getLast())
                        : Mono.error(new GuardHeldException()));
    }

    /** The guards, and then the clock: the last row's time is after the last lock. */
    private static Mono<Instant> waited(Connection connection, Guards guards) {
        String sql = "SELECT %s(k), %s FROM unnest($1::bigint[]) k"
                .formatted(guards.mode().lock(), CLOCK);
        return locks(connection, sql, guards)
                .flatMapMany(result -> result.map(row -> instant(row.get("now", Instant.class))))
                .last();
    }

    private static Mono<Result> locks(Connection connection, String sql, Guards guards) {
        return Mono.from(connection
                .createStatement(sql)
                .bind("$1", guards.keys().toArray(Long[]::new))
                .execute());
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

    /** Somebody else holds a guard; nothing has been done yet. */
    private static final class GuardHeldException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        GuardHeldException() {
            super("a guard is held", null, false, false);
        }
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
