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
import io.weighbridge.ledger.vocabulary.EntryKind;
import io.weighbridge.wire.FeedEntry;
import io.weighbridge.wire.FeedPage;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/**
 * Goal: every committed entry reaches every consumer once, in feed order, whatever the order of the commits. Method:
 * real transactions that end in another order than they began, compared with the table when all is quiet.
 */
class FeedIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String INSERT = """
            INSERT INTO ledger.oplog_%1$s (writer, day, ledger_epoch, xid, kind, entry_version, entity, entity_id,
                                           entity_version, tenant_id, revision_id, node_id, subject, at, state)
            SELECT '%1$s', (now() AT TIME ZONE 'UTC')::date, ledger.epoch(), pg_current_xact_id()::text::bigint, %2$s,
                   1, 'revision', '%3$s', 1, '%4$s', %5$s, %6$s, 'test', clock_timestamp(), '{"a_b": [1, "x"]}'
              FROM generate_series(1, %7$s)
            """;

    private StoreDatabase database;
    private ConnectionPool reads;
    private Feed feed;
    private final List<Disposable> subscriptions = new ArrayList<>();

    @BeforeEach
    void open() {
        database = StoreDatabase.fresh();
        ConnectionFactory connections = LedgerStore.connections(database.settings(Writer.METADATA));
        reads = new ConnectionPool(ConnectionPoolConfiguration.builder(connections)
                .initialSize(0)
                .maxSize(4)
                .build());
        feed = new Feed(reads, connections);
    }

    @AfterEach
    void close() {
        subscriptions.forEach(Disposable::dispose);
        feed.close();
        reads.dispose();
    }

    @Test
    void everyConsumerSeesEveryEntryOnceAndInOrder() throws Exception {
        append("before", 3);
        Consumer fromNow = consume("now", FeedFilter.all());
        Consumer fromStart = consume("start", FeedFilter.all());
        Consumer onlyAcme = consume("start", FeedFilter.all().ofTenant("acme"));
        fromStart.await(entries -> entries.size() == 3);

        List<Consumer> late = new ArrayList<>();
        try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                running.add(writers.submit(new WriterRun(Writer.values()[i % 3], i, 60)));
            }
            for (int i = 0; i < 10; i++) {
                // Subscribers that come while entries flow: the seam between pages and poller is crossed under load.
                int seen = 3 + 20 * i;
                fromStart.await(entries -> entries.size() >= seen);
                late.add(consume("start", FeedFilter.all()));
            }
            for (Future<?> run : running) {
                run.get(60, TimeUnit.SECONDS);
            }
        }
        append("after", 1);

        List<String> table = table("true");
        assertThat(table.size()).isGreaterThan(300);
        fromStart.await(entries -> entries.size() >= table.size());
        fromNow.await(entries -> entries.size() >= table.size() - 3);
        List<String> acme = table("tenant_id = 'acme'");
        onlyAcme.await(entries -> entries.size() >= acme.size());
        for (Consumer consumer : late) {
            consumer.await(entries -> entries.size() >= table.size());
            assertThat(consumer.places()).isEqualTo(table);
        }
        assertThat(fromStart.places()).isEqualTo(table);
        assertThat(fromNow.places()).isEqualTo(table.subList(3, table.size()));
        assertThat(onlyAcme.places()).isEqualTo(acme);

        for (int i = 0; i < table.size(); i += 37) {
            String cursor = fromStart.all().get(i).cursor();
            assertThat(places(pages(cursor, 50, FeedFilter.all()))).isEqualTo(table.subList(i + 1, table.size()));
        }
        assertThat(places(pages("start", 7, FeedFilter.all().ofTenant("acme")))).isEqualTo(acme);
    }

    @Test
    void aLongTransactionHoldsTheWatermarkAndNothingIsLost() throws SQLException {
        Consumer consumer = consume("now", FeedFilter.all());
        try (Connection slow = database.login(Writer.LEASE);
                Statement statement = slow.createStatement()) {
            slow.setAutoCommit(false);
            statement.execute(insert(Writer.LEASE, "slow", "acme", 1));
            append("fast", 2);
            // Committed, and in the table, but an earlier transaction is not over.
            StepVerifier.create(feed.page("start", 10, FeedFilter.all()))
                    .assertNext(page -> assertThat(page.entries()).isEmpty())
                    .verifyComplete();
            awaitTrue(() -> !feed.watermarkAge().isZero());
            assertThat(consumer.all()).isEmpty();
            slow.commit();
        }
        consumer.await(entries -> entries.size() == 3);
        assertThat(consumer.all()).extracting(FeedEntry::entityId).containsExactly("slow", "fast", "fast");
        awaitTrue(() -> feed.watermarkAge().isZero());
    }

    @Test
    void aSubscriberSurvivesTheLossOfTheConnection() throws SQLException {
        Consumer consumer = consume("now", FeedFilter.all());
        append("one", 1);
        consumer.await(entries -> entries.size() == 1);
        database.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND"
                + " pid <> pg_backend_pid()");
        append("two", 2);
        consumer.await(entries -> entries.size() == 3);
        assertThat(consumer.places()).isEqualTo(table("true"));
    }

    @Test
    void aPageEndsWhereItsCursorStaysTheSame() throws SQLException {
        append("x", 5);
        FeedPage first = page("start", 3);
        FeedPage second = page(first.nextCursor(), 3);
        FeedPage third = page(second.nextCursor(), 3);
        assertThat(first.entries()).hasSize(3);
        assertThat(second.entries()).hasSize(2);
        assertThat(third.entries()).isEmpty();
        assertThat(third.nextCursor()).isEqualTo(second.nextCursor());
        assertThat(first.nextCursor()).isEqualTo(first.entries().getLast().cursor());
        assertThat(first.entries().getFirst().state()).isEqualTo(Map.of("a_b", List.of(1, "x")));
    }

    @Test
    void aFilteredPageMovesOverWhatItHides() throws SQLException {
        append("x", 2500);
        FeedFilter none = FeedFilter.all().ofTenant("nobody");
        FeedPage first = get(feed.page("start", 10, none));
        assertThat(first.entries()).isEmpty();
        FeedPage second = get(feed.page(first.nextCursor(), 10, none));
        FeedPage third = get(feed.page(second.nextCursor(), 10, none));
        assertThat(second.nextCursor()).isNotEqualTo(first.nextCursor());
        assertThat(third.nextCursor()).isEqualTo(second.nextCursor());
    }

    @Test
    void filtersAgreeInPagesAndLive() throws SQLException {
        UUID node = UUID.fromString("00000000-0000-4000-8000-000000000001");
        String revision = "f".repeat(64);
        List<FeedFilter> filters = List.of(
                FeedFilter.all().ofTenant("acme"),
                FeedFilter.all().ofTenant("default"),
                FeedFilter.all().ofKinds(Set.of(EntryKind.NodeStateChanged, EntryKind.LeaseGranted)),
                FeedFilter.all().ofRevision(revision),
                FeedFilter.all().ofNode(node),
                FeedFilter.all().ofNode(node).ofTenant("acme"));
        List<Consumer> live =
                filters.stream().map(filter -> consume("now", filter)).toList();
        database.run(
                INSERT.formatted("metadata", 17, "n", "", "NULL", "'" + node + "'", 1),
                INSERT.formatted("metadata", 1, "r", "acme", "'" + revision + "'", "NULL", 1),
                INSERT.formatted("lease", 13, "l", "acme", "'" + revision + "'", "NULL", 1),
                INSERT.formatted("metadata", 1, "d", "default", "NULL", "NULL", 1),
                INSERT.formatted("metadata", 99, "newer", "default", "NULL", "NULL", 1));
        List<List<String>> expected = List.of(
                List.of("r", "l"),
                List.of("d", "newer"),
                List.of("n", "l"),
                List.of("r", "l"),
                List.of("n"),
                List.of());
        for (int i = 0; i < filters.size(); i++) {
            List<String> ids = expected.get(i);
            live.get(i).await(entries -> entries.size() >= ids.size());
            assertThat(live.get(i).all()).extracting(FeedEntry::entityId).isEqualTo(ids);
            assertThat(pages("start", 10, filters.get(i)))
                    .extracting(FeedEntry::entityId)
                    .isEqualTo(ids);
        }
        assertThat(live.get(1).all()).extracting(FeedEntry::kind).containsExactly("ImportBegun", "Kind99");
    }

    @Test
    void aMovedEpochEndsSubscriptionsAndCursors() throws SQLException {
        Consumer consumer = consume("start", FeedFilter.all());
        append("x", 1);
        consumer.await(entries -> entries.size() == 1);
        String cursor = consumer.all().getFirst().cursor();
        database.run("UPDATE ledger.restore_counter SET restores = restores + 1");
        refused(Mono.fromFuture(consumer.error), ProblemCode.FEED_RESET);
        refused(feed.page(cursor, 10, FeedFilter.all()), ProblemCode.FEED_RESET);
        refused(feed.subscribe(cursor, FeedFilter.all()), ProblemCode.FEED_RESET);
        append("y", 1);
        // What was written before the move is history, and follows it in the new epoch's cursors.
        assertThat(pages("start", 1, FeedFilter.all()))
                .extracting(FeedEntry::entityId)
                .containsExactly("x", "y");
    }

    @Test
    void aTruncatedRangeIsReset() throws SQLException {
        append("x", 3);
        FeedPage first = page("start", 1);
        database.run("UPDATE ledger.feed_horizon SET (ledger_epoch, xid, seq) ="
                + " (SELECT ledger_epoch, xid, seq FROM ledger.oplog ORDER BY 1 DESC, 2 DESC, 3 DESC LIMIT 1)");
        refused(feed.page(first.nextCursor(), 10, FeedFilter.all()), ProblemCode.FEED_RESET);
        refused(feed.subscribe(first.nextCursor(), FeedFilter.all()), ProblemCode.FEED_RESET);
        assertThat(page("start", 10).entries()).isEmpty();
    }

    @Test
    void badArgumentsAreRefused() {
        refused(feed.page("nonsense", 10, FeedFilter.all()), ProblemCode.INVALID_ARGUMENT);
        refused(feed.subscribe("nonsense", FeedFilter.all()), ProblemCode.INVALID_ARGUMENT);
        refused(feed.page("start", 0, FeedFilter.all()), ProblemCode.INVALID_ARGUMENT);
        refused(feed.page("start", 1001, FeedFilter.all()), ProblemCode.INVALID_ARGUMENT);
    }

    @Test
    void aSlowSubscriberIsDisconnectedAndResumesWithoutLoss() throws SQLException {
        ConnectionFactory connections = LedgerStore.connections(database.settings(Writer.METADATA));
        try (Feed narrow = new Feed(reads, connections, 16)) {
            List<FeedEntry> seen = new ArrayList<>();
            String now = get(narrow.now());
            StepVerifier.create(narrow.subscribe(now, FeedFilter.all()), 1)
                    .then(() -> unchecked(() -> append("first", 1)))
                    .consumeNextWith(seen::add)
                    .then(() -> unchecked(() -> append("many", 500)))
                    .thenAwait(Duration.ofMillis(600))
                    .thenRequest(Long.MAX_VALUE)
                    .thenConsumeWhile(entry -> true, seen::add)
                    .expectErrorSatisfies(error -> code(error, ProblemCode.BUSY))
                    .verify(PATIENCE);
            assertThat(seen).hasSizeBetween(2, 100);
            seen.addAll(pages(seen.getLast().cursor(), 1000, FeedFilter.all()));
            assertThat(places(seen)).isEqualTo(table("true"));
        }
    }

    @Test
    void nobodyPollsWhereNobodyListens() throws SQLException {
        Disposable subscription = feed.subscribe("now", FeedFilter.all()).subscribe();
        awaitTrue(() -> listeners() == 1);
        subscription.dispose();
        awaitTrue(() -> listeners() == 0);
    }

    private int listeners() {
        return unchecked(() -> {
            try (Connection connection = database.superuser();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT count(*) FROM pg_stat_activity WHERE datname ="
                            + " current_database() AND usename = 'weighbridge_metadata' AND query LIKE '%snapshot%'"
                            + " AND state_change > clock_timestamp() - interval '1 second'")) {
                rows.next();
                return rows.getInt(1);
            }
        });
    }

    private FeedPage page(String cursor, int limit) {
        return get(feed.page(cursor, limit, FeedFilter.all()));
    }

    private List<FeedEntry> pages(String from, int limit, FeedFilter filter) {
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

    private void append(String id, int count) throws SQLException {
        try (Connection connection = database.login(Writer.METADATA);
                Statement statement = connection.createStatement()) {
            statement.execute(insert(Writer.METADATA, id, "default", count));
        }
    }

    private static String insert(Writer writer, String id, String tenant, int count) {
        return INSERT.formatted(writer.schema(), 1, id, tenant, "NULL", "NULL", count);
    }

    /** Short transactions of one connection; some wait before they end, some roll back. */
    private final class WriterRun implements Callable<@Nullable Void> {

        private final Writer writer;
        private final int number;
        private final int transactions;
        private final RandomGenerator random;

        WriterRun(Writer writer, int number, int transactions) {
            this.writer = writer;
            this.number = number;
            this.transactions = transactions;
            this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(7919 + number);
        }

        @Override
        public @Nullable Void call() throws SQLException {
            try (Connection connection = database.login(writer);
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                for (int i = 0; i < transactions; i++) {
                    String tenant = random.nextBoolean() ? "acme" : "default";
                    statement.execute(insert(writer, number + "-" + i, tenant, 1 + random.nextInt(3)));
                    statement.execute("SELECT pg_sleep(" + random.nextInt(20) / 1000.0 + ")");
                    if (random.nextInt(4) == 0) {
                        statement.execute(insert(writer, number + "-" + i, tenant, 1));
                    }
                    if (random.nextInt(10) == 0) {
                        connection.rollback();
                    } else {
                        connection.commit();
                    }
                }
            }
            return null;
        }
    }

    /** Keeps what a subscription brings. */
    private static final class Consumer {

        private final List<FeedEntry> seen = new ArrayList<>();
        private final BlockingQueue<FeedEntry> arriving = new LinkedBlockingQueue<>();
        private final CompletableFuture<Object> error = new CompletableFuture<>();

        void await(Predicate<List<FeedEntry>> condition) {
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (!condition.test(all())) {
                if (System.nanoTime() > deadline || error.isCompletedExceptionally()) {
                    throw new AssertionError("only " + seen.size() + " entries came; " + error);
                }
                try {
                    FeedEntry entry = arriving.poll(100, TimeUnit.MILLISECONDS);
                    if (entry != null) {
                        seen.add(entry);
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }

        List<FeedEntry> all() {
            arriving.drainTo(seen);
            return seen;
        }

        List<String> places() {
            return FeedIT.places(all());
        }
    }

    private Consumer consume(String cursor, FeedFilter filter) {
        Consumer consumer = new Consumer();
        String from = cursor.equals("now") ? get(feed.now()) : cursor;
        Flux<FeedEntry> entries = feed.subscribe(from, filter);
        subscriptions.add(entries.subscribe(consumer.arriving::add, consumer.error::completeExceptionally));
        return consumer;
    }

    private static List<String> places(List<FeedEntry> entries) {
        return entries.stream()
                .map(entry -> FeedCursor.parse(entry.cursor()).position())
                .map(at -> at.epoch() + "." + at.xid() + "." + at.seq())
                .toList();
    }

    private List<String> table(String condition) throws SQLException {
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

    private static void refused(Publisher<?> answer, ProblemCode code) {
        StepVerifier.create(answer)
                .expectErrorSatisfies(error -> code(error, code))
                .verify(PATIENCE);
    }

    private static void code(Throwable error, ProblemCode code) {
        assertThat(error)
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refusal -> assertThat(refusal.problem().code()).isEqualTo(code));
    }

    private static void awaitTrue(BooleanSupplier condition) {
        Flux.interval(Duration.ofMillis(50))
                .publishOn(Schedulers.boundedElastic())
                .filter(tick -> condition.getAsBoolean())
                .next()
                .block(PATIENCE);
    }

    private static <T> T get(Mono<T> answer) {
        return Objects.requireNonNull(answer.block(PATIENCE));
    }

    private interface Action {
        void run() throws Exception;
    }

    private static void unchecked(Action action) {
        unchecked(() -> {
            action.run();
            return 0;
        });
    }

    private static <T> T unchecked(Callable<T> action) {
        try {
            return action.call();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
