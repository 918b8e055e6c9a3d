package io.weighbridge.ledger.store.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactory;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.store.LedgerStore;
import io.weighbridge.ledger.store.StoreDatabase;
import io.weighbridge.ledger.store.Writer;
import io.weighbridge.wire.FeedEntry;
import io.weighbridge.wire.FeedPage;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** A fresh ledger with a feed, and what the tests of the feed do with it. */
final class FeedWorld implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String INSERT = """
            INSERT INTO ledger.oplog_%1$s (writer, day, ledger_epoch, xid, kind, entry_version, entity, entity_id,
                                           entity_version, tenant_id, revision_id, node_id, subject, at, state)
            SELECT '%1$s', (now() AT TIME ZONE 'UTC')::date, ledger.epoch(), pg_current_xact_id()::text::bigint, %2$s,
                   1, 'revision', '%3$s', 1, '%4$s', %5$s, %6$s, 'test', clock_timestamp(), '{"a_b": [1, "x"]}'
              FROM generate_series(1, %7$s)
            """;

    final StoreDatabase database = StoreDatabase.fresh();
    final ConnectionFactory connections = LedgerStore.connections(database.settings(Writer.METADATA));
    final ConnectionPool reads = new ConnectionPool(ConnectionPoolConfiguration.builder(connections)
            .initialSize(0)
            .maxSize(4)
            .build());
    final Feed feed = new Feed(reads, connections);
    private final List<Disposable> subscriptions = new ArrayList<>();

    @Override
    public void close() {
        subscriptions.forEach(Disposable::dispose);
        feed.close();
        reads.dispose();
    }

    FeedPage page(String cursor, int limit) {
        return get(feed.page(cursor, limit, FeedFilter.all()));
    }

    List<FeedEntry> pages(String from, int limit, FeedFilter filter) {
        List<FeedEntry> all = new ArrayList<>();
        String cursor = from;
        while (true) {
            FeedPage page = get(feed.page(cursor, limit, filter));
            all.addAll(page.entries());
            if (page.entries().isEmpty() && page.nextCursor().equals(cursor)) {
                return all;
            }
            if (page.entries().isEmpty() && cursor.equals("start")) {
                return all;
            }
            cursor = page.nextCursor();
        }
    }

    void append(String id, int count) throws SQLException {
        try (Connection connection = database.login(Writer.METADATA);
                Statement statement = connection.createStatement()) {
            statement.execute(insert(Writer.METADATA, id, "default", count));
        }
    }

    static String insert(Writer writer, String id, String tenant, int count) {
        return INSERT.formatted(writer.schema(), 1, id, tenant, "NULL", "NULL", count);
    }

    /** Any entry: kind, revision and node as SQL. */
    static String insert(String writer, int kind, String id, String tenant, String revision, String node) {
        return INSERT.formatted(writer, kind, id, tenant, revision, node, 1);
    }

    FeedConsumer consume(String cursor, FeedFilter filter) {
        FeedConsumer consumer = new FeedConsumer();
        String from = cursor.equals("now") ? get(feed.now()) : cursor;
        Flux<FeedEntry> entries = feed.subscribe(from, filter);
        subscriptions.add(entries.subscribe(consumer.arriving::add, consumer.error::completeExceptionally));
        return consumer;
    }

    static List<String> places(List<FeedEntry> entries) {
        return entries.stream()
                .map(entry -> FeedCursor.parse(entry.cursor()).position())
                .map(at -> at.epoch() + "." + at.xid() + "." + at.seq())
                .toList();
    }

    List<String> table(String condition) throws SQLException {
        List<String> places = new ArrayList<>();
        try (Connection connection = database.superuser();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT ledger_epoch || '.' || xid || '.' || seq FROM"
                        + " ledger.oplog WHERE " + condition + " ORDER BY ledger_epoch, xid, seq")) {
            while (rows.next()) {
                places.add(rows.getString(1));
            }
        }
        return places;
    }

    static void refused(Publisher<?> answer, ProblemCode code) {
        StepVerifier.create(answer)
                .expectErrorSatisfies(error -> code(error, code))
                .verify(PATIENCE);
    }

    static void code(Throwable error, ProblemCode code) {
        assertThat(error)
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refusal -> assertThat(refusal.problem().code()).isEqualTo(code));
    }

    static void awaitTrue(BooleanSupplier condition) {
        Flux.interval(Duration.ofMillis(50))
                .publishOn(Schedulers.boundedElastic())
                .filter(tick -> condition.getAsBoolean())
                .next()
                .block(PATIENCE);
    }

    static <T> T get(Mono<T> answer) {
        return Objects.requireNonNull(answer.block(PATIENCE));
    }

    interface Action {
        void run() throws Exception;
    }

    static void unchecked(Action action) {
        unchecked(() -> {
            action.run();
            return 0;
        });
    }

    static <T> T unchecked(Callable<T> action) {
        try {
            return action.call();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
