package io.weighbridge.ledger.store.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.store.Writer;
import io.weighbridge.ledger.vocabulary.EntryKind;
import io.weighbridge.wire.FeedEntry;
import io.weighbridge.wire.FeedPage;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.test.StepVerifier;

/**
 * Goal: every committed entry reaches every consumer once, in feed order, whatever the order of the commits. Method:
 * real transactions that end in another order than they began, compared with the table when all is quiet.
 */
class FeedIT {

    private final FeedWorld world = new FeedWorld();

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void everyConsumerSeesEveryEntryOnceAndInOrder() throws Exception {
        world.append("before", 3);
        FeedConsumer fromNow = world.consume("now", FeedFilter.all());
        FeedConsumer fromStart = world.consume("start", FeedFilter.all());
        FeedConsumer onlyAcme = world.consume("start", FeedFilter.all().ofTenant("acme"));
        fromStart.await(entries -> entries.size() == 3);

        List<FeedConsumer> late = new ArrayList<>();
        try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                running.add(writers.submit(new WriterRun(world, Writer.values()[i % 3], i, 60)));
            }
            for (int i = 0; i < 10; i++) {
                // Subscribers that come while entries flow: the seam between pages and poller is crossed under load.
                int seen = 3 + 20 * i;
                fromStart.await(entries -> entries.size() >= seen);
                late.add(world.consume("start", FeedFilter.all()));
            }
            for (Future<?> run : running) {
                run.get(60, TimeUnit.SECONDS);
            }
        }
        world.append("after", 1);

        List<String> table = world.table("true");
        assertThat(table.size()).isGreaterThan(300);
        fromStart.await(entries -> entries.size() >= table.size());
        fromNow.await(entries -> entries.size() >= table.size() - 3);
        List<String> acme = world.table("tenant_id = 'acme'");
        onlyAcme.await(entries -> entries.size() >= acme.size());
        for (FeedConsumer consumer : late) {
            consumer.await(entries -> entries.size() >= table.size());
            assertThat(consumer.places()).isEqualTo(table);
        }
        assertThat(fromStart.places()).isEqualTo(table);
        assertThat(fromNow.places()).isEqualTo(table.subList(3, table.size()));
        assertThat(onlyAcme.places()).isEqualTo(acme);

        for (int i = 0; i < table.size(); i += 37) {
            String cursor = fromStart.all().get(i).cursor();
            assertThat(FeedWorld.places(world.pages(cursor, 50, FeedFilter.all())))
                    .isEqualTo(table.subList(i + 1, table.size()));
        }
        assertThat(FeedWorld.places(world.pages("start", 7, FeedFilter.all().ofTenant("acme"))))
                .isEqualTo(acme);
    }

    @Test
    void aLongTransactionHoldsTheWatermarkAndNothingIsLost() throws SQLException {
        FeedConsumer consumer = world.consume("now", FeedFilter.all());
        try (Connection slow = world.database.login(Writer.LEASE);
                Statement statement = slow.createStatement()) {
            slow.setAutoCommit(false);
            statement.execute(FeedWorld.insert(Writer.LEASE, "slow", "acme", 1));
            world.append("fast", 2);
            // Committed, and in the table, but an earlier transaction is not over.
            StepVerifier.create(world.feed.page("start", 10, FeedFilter.all()))
                    .assertNext(page -> assertThat(page.entries()).isEmpty())
                    .verifyComplete();
            FeedWorld.awaitTrue(() -> !world.feed.watermarkAge().isZero());
            assertThat(consumer.all()).isEmpty();
            slow.commit();
        }
        consumer.await(entries -> entries.size() == 3);
        assertThat(consumer.all()).extracting(FeedEntry::entityId).containsExactly("slow", "fast", "fast");
        FeedWorld.awaitTrue(() -> world.feed.watermarkAge().isZero());
    }

    @Test
    void aSubscriberSurvivesTheLossOfTheConnection() throws SQLException {
        FeedConsumer consumer = world.consume("now", FeedFilter.all());
        world.append("one", 1);
        consumer.await(entries -> entries.size() == 1);
        world.database.run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND"
                        + " pid <> pg_backend_pid()");
        world.append("two", 2);
        consumer.await(entries -> entries.size() == 3);
        assertThat(consumer.places()).isEqualTo(world.table("true"));
    }

    @Test
    void aPageEndsWhereItsCursorStaysTheSame() throws SQLException {
        world.append("x", 5);
        FeedPage first = world.page("start", 3);
        FeedPage second = world.page(first.nextCursor(), 3);
        FeedPage third = world.page(second.nextCursor(), 3);
        assertThat(first.entries()).hasSize(3);
        assertThat(second.entries()).hasSize(2);
        assertThat(third.entries()).isEmpty();
        assertThat(third.nextCursor()).isEqualTo(second.nextCursor());
        assertThat(first.nextCursor()).isEqualTo(first.entries().getLast().cursor());
        assertThat(first.entries().getFirst().state()).isEqualTo(Map.of("a_b", List.of(1, "x")));
    }

    @Test
    void aFilteredPageMovesOverWhatItHides() throws SQLException {
        world.append("x", 2500);
        FeedFilter none = FeedFilter.all().ofTenant("nobody");
        FeedPage first = FeedWorld.get(world.feed.page("start", 10, none));
        assertThat(first.entries()).isEmpty();
        FeedPage second = FeedWorld.get(world.feed.page(first.nextCursor(), 10, none));
        FeedPage third = FeedWorld.get(world.feed.page(second.nextCursor(), 10, none));
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
        List<FeedConsumer> live =
                filters.stream().map(filter -> world.consume("now", filter)).toList();
        world.database.run(
                FeedWorld.insert("metadata", 17, "n", "", "NULL", "'" + node + "'"),
                FeedWorld.insert("metadata", 1, "r", "acme", "'" + revision + "'", "NULL"),
                FeedWorld.insert("lease", 13, "l", "acme", "'" + revision + "'", "NULL"),
                FeedWorld.insert("metadata", 1, "d", "default", "NULL", "NULL"),
                FeedWorld.insert("metadata", 99, "newer", "default", "NULL", "NULL"));
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
            assertThat(world.pages("start", 10, filters.get(i)))
                    .extracting(FeedEntry::entityId)
                    .isEqualTo(ids);
        }
        assertThat(live.get(1).all()).extracting(FeedEntry::kind).containsExactly("ImportBegun", "Kind99");
    }

    @Test
    void nobodyPollsWhereNobodyListens() throws SQLException {
        Disposable subscription = world.feed.subscribe("now", FeedFilter.all()).subscribe();
        FeedWorld.awaitTrue(() -> listeners() == 1);
        subscription.dispose();
        FeedWorld.awaitTrue(() -> listeners() == 0);
    }

    private int listeners() {
        return FeedWorld.unchecked(() -> {
            try (Connection connection = world.database.superuser();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT count(*) FROM pg_stat_activity WHERE datname ="
                            + " current_database() AND usename = 'weighbridge_metadata' AND query LIKE '%snapshot%'"
                            + " AND state_change > clock_timestamp() - interval '1 second'")) {
                rows.next();
                return rows.getInt(1);
            }
        });
    }
}
