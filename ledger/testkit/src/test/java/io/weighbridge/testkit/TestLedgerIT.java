package io.weighbridge.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.OplogEntry;
import io.weighbridge.ledger.store.Writer;
import io.weighbridge.ledger.store.feed.Feed;
import io.weighbridge.ledger.store.feed.FeedFilter;
import io.weighbridge.ledger.vocabulary.EntryKind;
import io.weighbridge.wire.FeedEntry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class TestLedgerIT {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @RegisterExtension
    static final TestLedger LEDGER = TestLedger.perClass();

    @Test
    void isAMigratedLedgerForEachLogin() {
        OplogEntry entry = new OplogEntry(EntryKind.LeaseGranted, "l", 1, "default", null, null, "test", "{}");
        for (Writer writer : Writer.values()) {
            Ledger ledger = LEDGER.ledger(writer);
            StepVerifier.create(ledger.transact(
                            Guards.none(),
                            transaction -> transaction.append(entry).thenReturn(true)))
                    .expectNext(true)
                    .expectComplete()
                    .verify(PATIENCE);
        }
        assertThat(LEDGER.rows("SELECT writer FROM ledger.oplog WHERE entity_id = ? ORDER BY seq", "l"))
                .containsExactly(
                        Map.of("writer", "metadata"), Map.of("writer", "lease"), Map.of("writer", "reconciliation"));
        Feed feed = LEDGER.feed(Writer.LEASE);
        StepVerifier.create(feed.subscribe("start", FeedFilter.all()).take(3).map(FeedEntry::entityId))
                .expectNext("l", "l", "l")
                .expectComplete()
                .verify(PATIENCE);
    }

    @Test
    void isDurable() {
        assertThat(LEDGER.rows("SELECT current_setting('fsync') AS f, current_setting('synchronous_commit') AS s"))
                .isEqualTo(List.of(Map.of("f", "on", "s", "on")));
    }

    @Test
    void eachHasADatabaseOfItsOwn() {
        String name;
        try (TestLedger other = TestLedger.open()) {
            name = other.database();
            assertThat(name).isNotEqualTo(LEDGER.database());
            assertThat(other.sql("UPDATE ledger.restore_counter SET restores = 5"))
                    .isEqualTo(1);
            assertThat(LEDGER.rows("SELECT restores FROM ledger.restore_counter"))
                    .isEqualTo(List.of(Map.of("restores", 0)));
        }
        assertThat(LEDGER.rows("SELECT 1 FROM pg_database WHERE datname = ?", name))
                .isEmpty();
    }

    @Test
    void blockingOnAnEventLoopIsFound() {
        Mono<Object> blocking = Mono.fromCallable(() -> {
                    Thread.sleep(1);
                    return new Object();
                })
                .subscribeOn(Schedulers.parallel());
        assertThatThrownBy(() -> blocking.block(PATIENCE)).hasMessageContaining("Blocking call!");
    }

    @Nested
    class InNestedClasses {

        @Test
        void isTheSame() {
            assertThat(LEDGER.rows("SELECT 1 AS one")).isEqualTo(List.of(Map.of("one", 1)));
        }
    }

    @Test
    void isThereAfterNestedClassesToo() {
        assertThat(LEDGER.rows("SELECT 1 AS one")).hasSize(1);
    }
}
