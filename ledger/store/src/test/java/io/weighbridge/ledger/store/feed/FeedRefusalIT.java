package io.weighbridge.ledger.store.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.wire.FeedEntry;
import io.weighbridge.wire.FeedPage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Goal: a consumer that cannot go on without a gap is told, and told how to go on. */
class FeedRefusalIT {

    private final FeedWorld world = new FeedWorld();

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void aMovedEpochEndsSubscriptionsAndCursors() throws SQLException {
        FeedConsumer consumer = world.consume("start", FeedFilter.all());
        world.append("x", 1);
        consumer.await(entries -> entries.size() == 1);
        String cursor = consumer.all().getFirst().cursor();
        world.database.run("UPDATE ledger.restore_counter SET restores = restores + 1");
        FeedWorld.refused(Mono.fromFuture(consumer.error), ProblemCode.FEED_RESET);
        FeedWorld.refused(world.feed.page(cursor, 10, FeedFilter.all()), ProblemCode.FEED_RESET);
        FeedWorld.refused(world.feed.subscribe(cursor, FeedFilter.all()), ProblemCode.FEED_RESET);
        world.append("y", 1);
        // What was written before the move is history, and follows it in the new epoch's cursors.
        assertThat(world.pages("start", 1, FeedFilter.all()))
                .extracting(FeedEntry::entityId)
                .containsExactly("x", "y");
    }

    @Test
    void aTruncatedRangeIsReset() throws SQLException {
        world.append("x", 3);
        FeedPage first = world.page("start", 1);
        world.database.run("UPDATE ledger.feed_horizon SET (ledger_epoch, xid, seq) ="
                + " (SELECT ledger_epoch, xid, seq FROM ledger.oplog ORDER BY 1 DESC, 2 DESC, 3 DESC LIMIT 1)");
        FeedWorld.refused(world.feed.page(first.nextCursor(), 10, FeedFilter.all()), ProblemCode.FEED_RESET);
        FeedWorld.refused(world.feed.subscribe(first.nextCursor(), FeedFilter.all()), ProblemCode.FEED_RESET);
        assertThat(world.page("start", 10).entries()).isEmpty();
    }

    @Test
    void badArgumentsAreRefused() {
        FeedWorld.refused(world.feed.page("nonsense", 10, FeedFilter.all()), ProblemCode.INVALID_ARGUMENT);
        FeedWorld.refused(world.feed.subscribe("nonsense", FeedFilter.all()), ProblemCode.INVALID_ARGUMENT);
        FeedWorld.refused(world.feed.page("start", 0, FeedFilter.all()), ProblemCode.INVALID_ARGUMENT);
        FeedWorld.refused(world.feed.page("start", 1001, FeedFilter.all()), ProblemCode.INVALID_ARGUMENT);
    }

    @Test
    void aSlowSubscriberIsDisconnectedAndResumesWithoutLoss() throws SQLException {
        try (Feed narrow = new Feed(world.reads, world.connections, 16)) {
            List<FeedEntry> seen = new ArrayList<>();
            String now = FeedWorld.get(narrow.now());
            StepVerifier.create(narrow.subscribe(now, FeedFilter.all()), 1)
                    .then(() -> FeedWorld.unchecked(() -> world.append("first", 1)))
                    .consumeNextWith(seen::add)
                    .then(() -> FeedWorld.unchecked(() -> world.append("many", 500)))
                    .thenAwait(Duration.ofMillis(600))
                    .thenRequest(Long.MAX_VALUE)
                    .thenConsumeWhile(entry -> true, seen::add)
                    .expectErrorSatisfies(error -> FeedWorld.code(error, ProblemCode.BUSY))
                    .verify(FeedWorld.PATIENCE);
            assertThat(seen).hasSizeBetween(2, 100);
            seen.addAll(world.pages(seen.getLast().cursor(), 1000, FeedFilter.all()));
            assertThat(FeedWorld.places(seen)).isEqualTo(world.table("true"));
        }
    }
}
