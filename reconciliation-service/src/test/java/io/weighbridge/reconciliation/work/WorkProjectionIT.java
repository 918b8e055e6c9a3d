package io.weighbridge.reconciliation.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.Randomness;
import io.weighbridge.ledger.store.Writer;
import io.weighbridge.reconciliation.work.domain.Claim;
import io.weighbridge.reconciliation.work.domain.Outcome;
import io.weighbridge.reconciliation.work.postgres.CursorProjection;
import io.weighbridge.reconciliation.work.postgres.WorkProjection;
import io.weighbridge.testkit.TestLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Claims with real concurrent transactions (spec 1.8). */
class WorkProjectionIT {

    private static final Duration HOLD = Duration.ofMinutes(1);
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofMinutes(5);

    @RegisterExtension
    static final TestLedger LEDGER = TestLedger.perClass();

    private final Ledger ledger = LEDGER.ledger(Writer.RECONCILIATION);
    private final WorkProjection here = new WorkProjection(ledger, Randomness.id());
    private final WorkProjection there = new WorkProjection(ledger, Randomness.id());

    @BeforeEach
    void empty() {
        LEDGER.sql("DELETE FROM reconciliation.work");
    }

    @Test
    void aClaimIsExclusiveUntilItRunsOut() {
        wake(here, 1);
        Claim first = claimOne(here);

        assertThat(get(there.claim(10, HOLD))).isEmpty();

        runOut();
        Claim second = claimOne(there);
        assertThat(second.revision()).isEqualTo(first.revision());
        assertThat(second.epoch()).isGreaterThan(first.epoch());
    }

    @Test
    void whatCarriesAnOlderEpochIsRefusedAndChangesNothing() {
        wake(here, 1);
        Claim stale = claimOne(here);
        runOut();
        Claim current = claimOne(there);
        List<Map<String, Object>> before = rows();

        assertThat(get(here.renew(stale, HOLD))).isFalse();
        assertThat(get(here.finish(stale, Outcome.settled(), PAUSE))).isFalse();
        assertThat(get(here.finish(stale, Outcome.lookAgain(Duration.ZERO), PAUSE)))
                .isFalse();
        assertThat(get(here.finish(stale, Outcome.failed("late"), PAUSE))).isFalse();

        assertThat(rows()).isEqualTo(before);
        assertThat(get(there.finish(current, Outcome.settled(), PAUSE))).isTrue();
        assertThat(rows()).isEmpty();
    }

    @Test
    void renewingKeepsAClaim() {
        wake(here, 1);
        Claim claim = claimOne(here);
        runOut();

        assertThat(get(here.renew(claim, HOLD))).isTrue();
        assertThat(get(there.claim(10, HOLD))).isEmpty();
    }

    @Test
    void wokenWhileClaimedIsLookedAtAgain() {
        wake(here, 1);
        Claim claim = claimOne(here);
        wake(there, 1);
        assertThat(get(there.claim(10, HOLD))).as("still claimed").isEmpty();

        assertThat(get(here.finish(claim, Outcome.settled(), PAUSE))).isTrue();

        assertThat(claimOne(there).revision()).isEqualTo(claim.revision());
    }

    @Test
    void lookingAgainWaitsUnlessWoken() {
        wake(here, 1);
        Claim claim = claimOne(here);
        get(here.finish(claim, Outcome.lookAgain(PAUSE), PAUSE));
        assertThat(get(here.claim(10, HOLD))).isEmpty();

        wake(here, 1);
        Claim again = claimOne(here);
        wake(here, 1);
        get(here.finish(again, Outcome.lookAgain(PAUSE), PAUSE));
        assertThat(get(here.claim(10, HOLD))).hasSize(1);
    }

    @Test
    void failuresAreCountedAndWaitAndASuccessForgetsThem() {
        wake(here, 1);
        get(here.finish(claimOne(here), Outcome.failed("no such luck"), Duration.ZERO));
        Claim second = claimOne(here);
        assertThat(second.failures()).isEqualTo(1);
        get(here.finish(second, Outcome.failed("again"), PAUSE));
        assertThat(get(here.claim(10, HOLD))).isEmpty();
        assertThat(rows().getFirst()).containsEntry("failures", 2).containsEntry("last_error", "again");

        wake(here, 1);
        assertThat(get(here.claim(10, HOLD)))
                .as("news do not hurry what has failed to at once")
                .isEmpty();

        LEDGER.sql("UPDATE reconciliation.work SET due_at = now() - interval '1 second'");
        get(here.finish(claimOne(here), Outcome.lookAgain(Duration.ZERO), PAUSE));
        assertThat(claimOne(here).failures()).isZero();
    }

    @Test
    void manyInstancesShareEverythingOnce() {
        int count = 400;
        get(here.wake(
                        IntStream.range(0, count)
                                .mapToObj(WorkProjectionIT::revision)
                                .toList(),
                        Duration.ZERO)
                .thenReturn(true));
        List<WorkProjection> instances = IntStream.range(0, 6)
                .mapToObj(_ -> new WorkProjection(ledger, Randomness.id()))
                .toList();

        List<Claim> claims = get(Flux.fromIterable(instances)
                .flatMap(instance -> instance.claim(25, HOLD).repeat(20).flatMapIterable(batch -> batch))
                .collectList());

        Set<RevisionId> revisions = new HashSet<>();
        Set<Long> epochs = new HashSet<>();
        claims.forEach(claim -> {
            assertThat(revisions.add(claim.revision())).as("claimed twice").isTrue();
            assertThat(epochs.add(claim.epoch())).as("one epoch for two claims").isTrue();
        });
        assertThat(revisions).hasSize(count);
        assertThat(get(here.counts())).isEqualTo(new WorkProjection.Counts(count, 0));
    }

    @Test
    void wakingTheSameFromManySidesNeverFails() {
        List<RevisionId> all = new ArrayList<>(
                IntStream.range(0, 200).mapToObj(WorkProjectionIT::revision).toList());
        List<RevisionId> reversed = all.reversed();

        get(Flux.range(0, 20)
                .flatMap(i -> (i % 2 == 0 ? here : there).wake(i % 2 == 0 ? all : reversed, Duration.ZERO))
                .then(Mono.just(true)));

        assertThat(get(here.counts())).isEqualTo(new WorkProjection.Counts(0, 200));
    }

    @Test
    void theCursorIsKept() {
        CursorProjection cursors = new CursorProjection(ledger);
        assertThat(cursors.load().blockOptional(LIMIT)).isEmpty();
        cursors.save("one").block(LIMIT);
        cursors.save("two").block(LIMIT);
        assertThat(cursors.load().blockOptional(LIMIT)).contains("two");
    }

    private static void wake(WorkProjection work, int number) {
        work.wake(List.of(revision(number)), Duration.ZERO).block(LIMIT);
    }

    private static Claim claimOne(WorkProjection work) {
        List<Claim> claims = get(work.claim(10, HOLD));
        assertThat(claims).hasSize(1);
        return claims.getFirst();
    }

    private static void runOut() {
        LEDGER.sql("UPDATE reconciliation.work SET claim_until = now() - interval '1 second'");
    }

    private static List<Map<String, Object>> rows() {
        return LEDGER.rows("SELECT * FROM reconciliation.work ORDER BY revision_id").stream()
                .<Map<String, Object>>map(row -> new HashMap<>(row))
                .toList();
    }

    static RevisionId revision(int number) {
        return new RevisionId("%064x".formatted(number));
    }

    private static <T> T get(Mono<T> mono) {
        return Objects.requireNonNull(mono.block(LIMIT));
    }
}
