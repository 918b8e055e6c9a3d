package io.weighbridge.metadata.revision.domain;

import static io.weighbridge.metadata.revision.domain.Cases.GENERATION;
import static io.weighbridge.metadata.revision.domain.Cases.IDENTITY;
import static io.weighbridge.metadata.revision.domain.Cases.MANIFEST;
import static io.weighbridge.metadata.revision.domain.Cases.NOW;
import static io.weighbridge.metadata.revision.domain.Cases.UPDATED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.token.Secret;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.metadata.revision.domain.Cases.Asked;
import io.weighbridge.metadata.revision.domain.Cases.Seen;
import io.weighbridge.metadata.revision.domain.Cases.State;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Goal: the rules that the table does not show, each on its own. */
class RevisionDeciderTest {

    private static final Fence CURRENT = Fence.exactly(GENERATION);

    private static Decision<RevisionEvent> decide(Revision state, RevisionCommand command, Seen seen) {
        return RevisionDecider.decide(state, command, Cases.seen(seen));
    }

    private static Decision<RevisionEvent> decide(State state, RevisionCommand command, Seen seen) {
        return decide(Cases.state(state), command, seen);
    }

    private static ProblemCode refusal(Decision<RevisionEvent> decision) {
        assertThat(decision).isInstanceOf(Decision.Refused.class);
        return ((Decision.Refused<RevisionEvent>) decision).problem().code();
    }

    private static List<RevisionEvent> events(Decision<RevisionEvent> decision) {
        assertThat(decision).isInstanceOf(Decision.Accepted.class);
        return ((Decision.Accepted<RevisionEvent>) decision).events();
    }

    private static Registered after(State state, RevisionCommand command, Seen seen) {
        return (Registered) Revision.after(Cases.state(state), events(decide(state, command, seen)));
    }

    private static Operation operation(Registered revision) {
        return Objects.requireNonNull(revision.operation());
    }

    /** The physical check, each contradiction after all earlier ones hold (spec 1.5). */
    @Test
    void theCommitCheckNamesTheFirstContradiction() {
        Members good = Cases.members(Seen.hot);
        assertThat(physical(with(good, 0, 3, 0))).isEqualTo(ProblemCode.NOT_FOUND);
        assertThat(physical(with(good, 4, 4, 0))).isEqualTo(ProblemCode.CONFLICT);
        assertThat(physical(with(good, 2, 2, 0))).isEqualTo(ProblemCode.CONFLICT);
        assertThat(physical(with(good, 3, 2, 5))).isEqualTo(ProblemCode.NOT_READY);
        assertThat(physical(manifest(good, null, Cases.MANIFEST_SHA256))).isEqualTo(ProblemCode.NOT_FOUND);
        assertThat(physical(manifest(good, ObjectType.WEIGHT, Cases.MANIFEST_SHA256)))
                .isEqualTo(ProblemCode.CONFLICT);
        assertThat(physical(with(good, 3, 3, 1))).isEqualTo(ProblemCode.CONFLICT);
        assertThat(physical(manifest(good, ObjectType.METADATA, "cd".repeat(32))))
                .isEqualTo(ProblemCode.CONFLICT);
        assertThat(physical(manifest(good, ObjectType.METADATA, null))).isEqualTo(ProblemCode.CONFLICT);
        assertThat(physical(payloads(good, 1999, Cases.KEYS_SHA256))).isEqualTo(ProblemCode.CONFLICT);
        assertThat(physical(payloads(good, 2000, "cd".repeat(32)))).isEqualTo(ProblemCode.CONFLICT);
    }

    private static ProblemCode physical(Members members) {
        return refusal(RevisionDecider.decide(
                Cases.state(State.IMPORTING),
                new RevisionCommand.CommitImport(CURRENT, MANIFEST),
                new Circumstances(NOW, false, members)));
    }

    private static Members with(Members m, long count, long readable, long notWeight) {
        return new Members(
                count,
                readable,
                notWeight,
                m.payloadBytes(),
                m.payloadKeysSha256(),
                m.manifestType(),
                m.manifestSha256(),
                m.hot(),
                m.cold(),
                m.placed(),
                m.surplus(),
                m.unremoved());
    }

    private static Members manifest(Members m, @Nullable ObjectType type, @Nullable String sha) {
        return new Members(
                m.count(),
                m.readable(),
                0,
                m.payloadBytes(),
                m.payloadKeysSha256(),
                type,
                sha,
                m.hot(),
                m.cold(),
                m.placed(),
                m.surplus(),
                m.unremoved());
    }

    private static Members payloads(Members m, long bytes, String keys) {
        return new Members(
                m.count(),
                m.readable(),
                0,
                bytes,
                keys,
                m.manifestType(),
                m.manifestSha256(),
                m.hot(),
                m.cold(),
                m.placed(),
                m.surplus(),
                m.unremoved());
    }

    @Test
    void aCommitOfSomethingElseIsRefusedBeforeMembersAreLookedAt() {
        ManifestReference otherGroup = reference(MANIFEST.manifestKey(), "weight:" + "ab".repeat(32), 2, 2000);
        assertThat(refusal(decide(State.IMPORTING, new RevisionCommand.CommitImport(CURRENT, otherGroup), Seen.hot)))
                .isEqualTo(ProblemCode.INVALID_ARGUMENT);
        ManifestReference otherKey = reference("weights/other", MANIFEST.payloadGroupId(), 2, 2000);
        assertThat(refusal(decide(State.IMPORTING, new RevisionCommand.CommitImport(CURRENT, otherKey), Seen.hot)))
                .isEqualTo(ProblemCode.CONFLICT);
        ManifestReference otherCount = reference(MANIFEST.manifestKey(), MANIFEST.payloadGroupId(), 3, 2000);
        assertThat(refusal(decide(State.IMPORTING, new RevisionCommand.CommitImport(CURRENT, otherCount), Seen.hot)))
                .isEqualTo(ProblemCode.CONFLICT);
        ManifestReference otherBytes = reference(MANIFEST.manifestKey(), MANIFEST.payloadGroupId(), 2, 2001);
        assertThat(refusal(decide(State.IMPORTING, new RevisionCommand.CommitImport(CURRENT, otherBytes), Seen.hot)))
                .isEqualTo(ProblemCode.CONFLICT);
        assertThat(refusal(decide(State.READY, new RevisionCommand.CommitImport(CURRENT, otherBytes), Seen.hot)))
                .isEqualTo(ProblemCode.CONFLICT);
    }

    private static ManifestReference reference(String key, String group, long count, long bytes) {
        return new ManifestReference(key, Cases.MANIFEST_SHA256, group, Cases.KEYS_SHA256, count, bytes);
    }

    @Test
    void aCommitPublishesWhatItChecked() {
        Registered ready = after(State.IMPORTING, new RevisionCommand.CommitImport(CURRENT, MANIFEST), Seen.cold);
        assertThat(ready.publication()).isEqualTo(new Revision.Publication(MANIFEST, GENERATION, NOW));
        assertThat(ready.residency()).isEqualTo(Residency.COLD);
        assertThat(ready.lastTarget()).isEqualTo(Residency.HOT);
        assertThat(ready.generation()).isEqualTo(GENERATION + 1);
    }

    @Test
    void anImportIsTakenOverByItsSubjectOrAnAdministrator() {
        assertThat(refusal(decide(State.IMPORTING, Cases.begin(true, "stranger", false), Seen.hot)))
                .isEqualTo(ProblemCode.PERMISSION_DENIED);
        Registered taken = after(State.IMPORTING, Cases.begin(true, "stranger", true), Seen.hot);
        assertThat(taken.session().subject()).isEqualTo("stranger");
        assertThat(taken.session().tokenHash()).isEqualTo(Secret.hash("another-token"));
        assertThat(taken.generation()).isEqualTo(GENERATION);
        assertThat(refusal(RevisionDecider.decide(
                        taken, new RevisionCommand.HeartbeatImport(Cases.TOKEN), Cases.seen(Seen.hot))))
                .isEqualTo(ProblemCode.STALE_TOKEN);
    }

    @Test
    void aBeginWithAnotherContentIsAConflict() {
        for (ImportSummary summary : List.of(new ImportSummary(3, 2000), new ImportSummary(2, 2001))) {
            RevisionCommand begin =
                    new RevisionCommand.BeginImport(IDENTITY, summary, null, null, null, false, "trainer", false, "x");
            assertThat(refusal(decide(State.IMPORTING, begin, Seen.hot))).isEqualTo(ProblemCode.CONFLICT);
            assertThat(refusal(decide(State.READY, begin, Seen.hot))).isEqualTo(ProblemCode.CONFLICT);
        }
        RevisionCommand labels = new RevisionCommand.BeginImport(
                IDENTITY, Cases.SUMMARY, Map.of("run", "b"), null, null, false, "trainer", false, "x");
        assertThat(refusal(decide(State.IMPORTING, labels, Seen.hot))).isEqualTo(ProblemCode.CONFLICT);
    }

    @Test
    void argumentsOfABeginAreCheckedBeforeItsState() {
        RevisionCommand group = new RevisionCommand.BeginImport(
                IDENTITY, Cases.SUMMARY, null, null, "weight:" + "00".repeat(32), false, "trainer", false, "x");
        RevisionIdentity longIdentity = new RevisionIdentity("default", "n", "r", "生".repeat(341), 1);
        RevisionCommand longKey = new RevisionCommand.BeginImport(
                longIdentity, Cases.SUMMARY, null, null, null, false, "trainer", false, "x");
        for (State state : State.values()) {
            assertThat(refusal(decide(state, group, Seen.hot))).isEqualTo(ProblemCode.INVALID_ARGUMENT);
            assertThat(refusal(decide(state, longKey, Seen.hot))).isEqualTo(ProblemCode.INVALID_ARGUMENT);
        }
    }

    @ParameterizedTest
    @EnumSource(Residency.class)
    void onlyHotAndColdCanBeAskedFor(Residency target) {
        RevisionCommand start = new RevisionCommand.StartResidencyOperation(CURRENT, target, Cases.NEXT_OPERATION);
        boolean legal = target == Residency.HOT || target == Residency.COLD;
        for (State state : State.values()) {
            Decision<RevisionEvent> decision = decide(state, start, Seen.hot);
            boolean invalid = decision instanceof Decision.Refused<RevisionEvent>(var problem)
                    && problem.code() == ProblemCode.INVALID_ARGUMENT;
            assertThat(invalid).as("%s", state).isEqualTo(!legal);
        }
    }

    @Test
    void aHeartbeatIsWrittenEveryTenSecondsAtMost() {
        Instant beat = Cases.BEGUN;
        RevisionCommand heartbeat = new RevisionCommand.HeartbeatImport(Cases.TOKEN);
        Revision importing = Cases.state(State.IMPORTING);
        Circumstances early = new Circumstances(beat.plusMillis(9_999), false, Members.NONE);
        assertThat(RevisionDecider.decide(importing, heartbeat, early)).isInstanceOf(Decision.Unchanged.class);
        Circumstances due = new Circumstances(beat.plusMillis(10_000), false, Members.NONE);
        assertThat(events(RevisionDecider.decide(importing, heartbeat, due)))
                .containsExactly(new RevisionEvent.ImportHeartbeatSeen(beat.plusMillis(10_000)));
        assertThat(refusal(RevisionDecider.decide(importing, new RevisionCommand.HeartbeatImport(null), due)))
                .isEqualTo(ProblemCode.STALE_TOKEN);
    }

    @Test
    void anImportWithASignOfLifeIsNotAbortedAsAbandoned() {
        RevisionCommand abandoned = new RevisionCommand.AbortImport(CURRENT, Duration.ofSeconds(200));
        assertThat(events(decide(State.IMPORTING, abandoned, Seen.absent))).hasSize(1);
        RevisionCommand tooEarly = new RevisionCommand.AbortImport(CURRENT, Duration.ofSeconds(201));
        assertThat(refusal(decide(State.IMPORTING, tooEarly, Seen.absent))).isEqualTo(ProblemCode.NOT_READY);
    }

    @Test
    void aUsersCommandCancelsAnAutomaticOperationWithOneGeneration() {
        for (Asked asked : List.of(Asked.Evict, Asked.Rehydrate, Asked.SetPlacement, Asked.Delete)) {
            List<RevisionEvent> events = events(decide(State.AUTO, Cases.command(asked, CURRENT), Seen.hot));
            assertThat(events).hasSize(2);
            assertThat(events.getFirst()).isEqualTo(new RevisionEvent.OperationSuperseded(Cases.OPERATION, NOW));
            Registered after = (Registered) Revision.after(Cases.state(State.AUTO), events);
            assertThat(after.generation()).isEqualTo(GENERATION + 1);
        }
    }

    @Test
    void olderClaimsAreRefusedAndNewerOnesRemembered() {
        RevisionCommand older = new RevisionCommand.UpdateProgress(Cases.OPERATION, Cases.CLAIM - 1);
        assertThat(refusal(decide(State.EVICTING, older, Seen.cold))).isEqualTo(ProblemCode.STALE_TOKEN);
        assertThat(refusal(decide(
                        State.EVICTING,
                        new RevisionCommand.FinishOperation(Cases.OPERATION, Cases.CLAIM - 1),
                        Seen.cold)))
                .isEqualTo(ProblemCode.STALE_TOKEN);
        assertThat(refusal(decide(
                        State.EVICTING, new RevisionCommand.Observe(Cases.OPERATION, Cases.CLAIM - 1), Seen.hot)))
                .isEqualTo(ProblemCode.STALE_TOKEN);
        Registered claimed = after(State.EVICTING, new RevisionCommand.UpdateProgress(Cases.OPERATION, 9), Seen.hot);
        assertThat(operation(claimed).claimEpoch()).isEqualTo(9);
        assertThat(operation(claimed).updatedAt()).isEqualTo(UPDATED);
        assertThat(claimed.generation()).isEqualTo(GENERATION);
        assertThat(refusal(decide(State.EVICTING, new RevisionCommand.FinishOperation(new UUID(9, 9), 9), Seen.cold)))
                .isEqualTo(ProblemCode.CONFLICT);
        assertThat(refusal(decide(State.EVICTING, new RevisionCommand.Observe(null, 9), Seen.cold)))
                .isEqualTo(ProblemCode.CONFLICT);
    }

    @Test
    void progressAdvancesItsOwnTimeOnly() {
        Operation operation = Cases.operation(OperationKind.EVICTING, Residency.COLD, false);
        Registered evicting = Cases.registered(Availability.READY, Residency.HOT, operation);
        Circumstances sameMoment = new Circumstances(UPDATED, false, Cases.members(Seen.cold));
        Registered after = (Registered) Revision.after(
                evicting,
                events(RevisionDecider.decide(
                        evicting, new RevisionCommand.UpdateProgress(Cases.OPERATION, Cases.CLAIM), sameMoment)));
        assertThat(operation(after).processedMembers()).isEqualTo(3);
        assertThat(operation(after).cursor()).isEqualTo(IDENTITY.manifestKey());
        assertThat(operation(after).updatedAt()).isEqualTo(UPDATED.plusMillis(1));
        assertThat(after.updatedAt()).isEqualTo(UPDATED);
        assertThat(after.generation()).isEqualTo(GENERATION);
    }

    @Test
    void aFinishedEvictionIsNotHeatedAgain() {
        Registered cold =
                after(State.EVICTING, new RevisionCommand.FinishOperation(Cases.OPERATION, Cases.CLAIM), Seen.cold);
        assertThat(cold.lastTarget()).isEqualTo(Residency.COLD);
        assertThat(cold.residency()).isEqualTo(Residency.COLD);
        assertThat(cold.placement().memoryWanted(cold.lastTarget())).isZero();
        assertThat(cold.placement().coldWanted(cold.lastTarget())).isEqualTo(1);
        Registered hot =
                after(State.REHYDRATING, new RevisionCommand.FinishOperation(Cases.OPERATION, Cases.CLAIM), Seen.hot);
        assertThat(hot.lastTarget()).isEqualTo(Residency.HOT);
    }

    @Test
    void surplusStartsAnAutomaticRepairButNoUsers() {
        Members.Progress all = new Members.Progress(3, "z");
        Members surplus = Cases.members(3, 3, all, Members.Progress.NONE, all, 2, 5);
        Circumstances seen = new Circumstances(NOW, false, surplus);
        assertThat(RevisionDecider.decide(
                        Cases.state(State.READY), new RevisionCommand.StartRepair(CURRENT, new UUID(3, 3)), seen))
                .isInstanceOf(Decision.Unchanged.class);
        assertThat(events(RevisionDecider.decide(
                        Cases.state(State.READY),
                        new RevisionCommand.StartAutoRepair(CURRENT, new UUID(3, 3), 1),
                        seen)))
                .hasSize(1);
    }

    @Test
    void timesNeverRunBackwards() {
        Circumstances clockSteppedBack = new Circumstances(Cases.BEGUN, false, Cases.members(Seen.cold));
        List<RevisionEvent> events = events(RevisionDecider.decide(
                Cases.state(State.READY), Cases.command(Asked.Evict, CURRENT), clockSteppedBack));
        assertThat(events.getLast().at()).isEqualTo(UPDATED);
        Registered deleting = (Registered) Revision.after(
                Cases.state(State.READY),
                events(RevisionDecider.decide(
                        Cases.state(State.READY), Cases.command(Asked.Delete, CURRENT), clockSteppedBack)));
        assertThat(deleting.drainDeadline()).isEqualTo(UPDATED.plus(Duration.ofMinutes(10)));
    }

    @Test
    void aDrainOutOfRangeIsRefused() {
        for (Duration drain : List.of(Duration.ofMillis(-1), Duration.ofDays(1).plusMillis(1))) {
            for (State state : State.values()) {
                assertThat(refusal(decide(state, new RevisionCommand.Delete(CURRENT, true, drain), Seen.hot)))
                        .isEqualTo(ProblemCode.INVALID_ARGUMENT);
            }
        }
    }

    @Test
    void aDeleteEndsOnlyWithoutLeases() {
        Circumstances leased = new Circumstances(NOW, true, Members.NONE);
        assertThat(refusal(RevisionDecider.decide(
                        Cases.state(State.DELETING), new RevisionCommand.FinishDelete(), leased)))
                .isEqualTo(ProblemCode.NOT_READY);
    }

    @Test
    void anExhaustedGenerationAdvancesNoMore() {
        long last = Validation.COUNTER_MAX;
        Registered ready = Cases.registered(Availability.READY, Residency.HOT, null, last);
        for (Asked asked : List.of(Asked.Evict, Asked.SetPlacement, Asked.Delete)) {
            assertThat(refusal(RevisionDecider.decide(
                            ready, Cases.command(asked, Fence.exactly(last)), Cases.seen(Seen.cold))))
                    .isEqualTo(ProblemCode.GENERATION_EXHAUSTED);
        }
        assertThat(refusal(
                        RevisionDecider.decide(ready, new RevisionCommand.Observe(null, 1), Cases.seen(Seen.partial))))
                .isEqualTo(ProblemCode.GENERATION_EXHAUSTED);
        Registered importing = Cases.registered(Availability.IMPORTING, Residency.UNKNOWN, null, last);
        assertThat(events(decide(importing, new RevisionCommand.HeartbeatImport(Cases.TOKEN), Seen.hot)))
                .hasSize(1);
        assertThat(refusal(
                        decide(importing, new RevisionCommand.CommitImport(Fence.exactly(last), MANIFEST), Seen.hot)))
                .isEqualTo(ProblemCode.GENERATION_EXHAUSTED);
    }

    @Test
    void placementsAreBounded() {
        assertThatThrownBy(() -> new Placement(0, 0, null, null)).isInstanceOf(ProblemException.class);
        assertThatThrownBy(() -> new Placement(1, -1, null, null)).isInstanceOf(ProblemException.class);
        assertThatThrownBy(() -> new Placement(1025, 0, null, null)).isInstanceOf(ProblemException.class);
        assertThatThrownBy(() -> new Placement(1, 0, List.of(), null)).isInstanceOf(ProblemException.class);
        UUID node = new UUID(4, 4);
        assertThatThrownBy(() -> new Placement(1, 0, List.of(node, node), null)).isInstanceOf(ProblemException.class);
        assertThat(new Placement(1024, 1024, List.of(node), Map.of("zone", "")).nodeLabels())
                .containsEntry("zone", "");
    }

    @Test
    void labelsAreBounded() {
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i < Labels.MOST; i++) {
            many.put("label-" + i, "v");
        }
        assertThat(Labels.checked("labels", many)).hasSize(32);
        many.put("one-more", "v");
        assertThatThrownBy(() -> Labels.checked("labels", many)).isInstanceOf(ProblemException.class);
        assertThatThrownBy(() -> Labels.checked("labels", Map.of("k".repeat(257), "v")))
                .isInstanceOf(ProblemException.class);
        assertThatThrownBy(() -> Labels.checked("labels", Map.of("k", "v".repeat(1025))))
                .isInstanceOf(ProblemException.class);
        assertThatThrownBy(() -> Labels.checked("labels", Map.of("", "v"))).isInstanceOf(ProblemException.class);
        assertThatThrownBy(() -> Labels.checked("labels", Map.of("k", "a\nb"))).isInstanceOf(ProblemException.class);
    }
}
