package io.weighbridge.metadata.revision.domain;

import static io.weighbridge.ledger.decision.Decision.accepted;
import static io.weighbridge.ledger.decision.Decision.refused;
import static io.weighbridge.ledger.decision.Decision.unchanged;

import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import java.time.Duration;
import java.time.Instant;

/**
 * The rules of one revision. Pure: the same arguments give the same decision. The order of the checks in each method is
 * that of the command's row in spec 1.5, and it decides which refusal is answered.
 */
public final class RevisionDecider {

    /** The longest time for which a delete lets leases be renewed. */
    static final Duration DRAIN_MAX = Duration.ofDays(1);

    private RevisionDecider() {}

    /** Decides one command; nothing has happened yet. */
    public static Decision<RevisionEvent> decide(Revision state, RevisionCommand command, Circumstances seen) {
        return switch (state) {
            case Revision.NoRevision() -> decideWithout(command, seen);
            case Registered revision -> exhausted(revision, decide(revision, command, seen));
        };
    }

    private static Decision<RevisionEvent> decideWithout(RevisionCommand command, Circumstances seen) {
        return switch (command) {
            case RevisionCommand.BeginImport begin -> ImportRules.begin(begin, seen.now());
            case RevisionCommand.StartResidencyOperation start
            when !isTarget(start.target()) -> refused(RevisionRefusal.TARGET_UNSUPPORTED.problem());
            case RevisionCommand.Delete delete
            when !isDrain(delete.drain()) -> refused(RevisionRefusal.DRAIN_OUT_OF_RANGE.problem());
            case RevisionCommand.HeartbeatImport _,
                    RevisionCommand.CommitImport _,
                    RevisionCommand.AbortImport _,
                    RevisionCommand.StartResidencyOperation _,
                    RevisionCommand.StartRepair _,
                    RevisionCommand.StartAutoRepair _,
                    RevisionCommand.SetPlacement _,
                    RevisionCommand.CancelOperation _,
                    RevisionCommand.Delete _,
                    RevisionCommand.Observe _,
                    RevisionCommand.UpdateProgress _,
                    RevisionCommand.FinishOperation _,
                    RevisionCommand.FinishDelete _ -> refused(RevisionRefusal.REVISION_UNKNOWN.problem());
        };
    }

    private static Decision<RevisionEvent> decide(Registered revision, RevisionCommand command, Circumstances seen) {
        return switch (command) {
            case RevisionCommand.BeginImport begin -> ImportRules.begin(revision, begin, seen);
            case RevisionCommand.HeartbeatImport beat -> ImportRules.heartbeat(revision, beat, seen);
            case RevisionCommand.CommitImport commit -> ImportRules.commit(revision, commit, seen);
            case RevisionCommand.AbortImport abort -> ImportRules.abort(revision, abort, seen);
            case RevisionCommand.StartResidencyOperation start -> OperationRules.startResidency(revision, start, seen);
            case RevisionCommand.StartRepair start -> OperationRules.startRepair(revision, start, seen);
            case RevisionCommand.StartAutoRepair start -> OperationRules.startAutoRepair(revision, start, seen);
            case RevisionCommand.SetPlacement set -> setPlacement(revision, set, seen);
            case RevisionCommand.CancelOperation cancel -> OperationRules.cancel(revision, cancel, seen);
            case RevisionCommand.Delete delete -> delete(revision, delete, seen);
            case RevisionCommand.Observe observe -> OperationRules.observe(revision, observe, seen);
            case RevisionCommand.UpdateProgress update -> OperationRules.updateProgress(revision, update, seen);
            case RevisionCommand.FinishOperation finish -> OperationRules.finish(revision, finish, seen);
            case RevisionCommand.FinishDelete _ -> finishDelete(revision, seen);
        };
    }

    private static Decision<RevisionEvent> setPlacement(
            Registered revision, RevisionCommand.SetPlacement set, Circumstances seen) {
        if (!set.fence().matches(revision.generation())) {
            return stale(set.fence(), revision);
        }
        if (!revision.isPublished()) {
            return refused(RevisionRefusal.NOT_PUBLISHED.problem());
        }
        return set.placement().equals(revision.placement())
                ? unchanged()
                : OperationRules.afterAutomatic(
                        revision, new RevisionEvent.PlacementSet(set.placement(), revision.notBefore(seen.now())));
    }

    private static Decision<RevisionEvent> delete(
            Registered revision, RevisionCommand.Delete delete, Circumstances seen) {
        if (!isDrain(delete.drain())) {
            return refused(RevisionRefusal.DRAIN_OUT_OF_RANGE.problem());
        }
        switch (revision.availability()) {
            case DELETED -> {
                return unchanged();
            }
            case DELETING -> {
                return delete.fence().isAdjacent(revision.generation()) ? unchanged() : stale(delete.fence(), revision);
            }
            case IMPORTING, READY, DEGRADED -> {}
        }
        if (!delete.fence().matches(revision.generation())) {
            return stale(delete.fence(), revision);
        }
        Operation operation = revision.operation();
        if (operation != null && !operation.automatic()) {
            return refused(RevisionRefusal.OPERATION_ACTIVE.problem(
                    "the operation " + operation.operationId() + " is active"));
        }
        if (revision.availability() == Availability.IMPORTING) {
            return refused(RevisionRefusal.STILL_IMPORTING.problem());
        }
        if (!delete.waitForLeases() && seen.leased()) {
            return refused(RevisionRefusal.LEASED.problem());
        }
        Instant at = revision.notBefore(seen.now());
        return OperationRules.afterAutomatic(revision, new RevisionEvent.DeleteStarted(at.plus(delete.drain()), at));
    }

    private static Decision<RevisionEvent> finishDelete(Registered revision, Circumstances seen) {
        if (revision.availability() == Availability.DELETED) {
            return unchanged();
        }
        if (revision.availability() != Availability.DELETING) {
            return refused(RevisionRefusal.NOT_DELETING.problem());
        }
        if (seen.leased() || seen.members().unremoved() > 0) {
            return refused(RevisionRefusal.STILL_PRESENT.problem());
        }
        return accepted(new RevisionEvent.DeleteFinished(revision.notBefore(seen.now())));
    }

    /** A generation that would advance beyond the last one is refused instead, whatever the command (spec 1.2). */
    private static Decision<RevisionEvent> exhausted(Registered revision, Decision<RevisionEvent> decision) {
        return switch (decision) {
            case Decision.Accepted<RevisionEvent>(var events) ->
                revision.generation() >= Validation.COUNTER_MAX
                                && events.stream().anyMatch(RevisionEvent::advancesGeneration)
                        ? refused(RevisionRefusal.GENERATION_EXHAUSTED.problem())
                        : decision;
            case Decision.Unchanged<RevisionEvent> _, Decision.Refused<RevisionEvent> _ -> decision;
        };
    }

    static boolean isTarget(Residency target) {
        return target == Residency.HOT || target == Residency.COLD;
    }

    private static boolean isDrain(Duration drain) {
        return !drain.isNegative() && drain.compareTo(DRAIN_MAX) <= 0;
    }

    static Decision<RevisionEvent> stale(Fence fence, Registered revision) {
        return refused(RevisionRefusal.stale(fence, revision.generation()));
    }

    static OperationKind kindOf(Residency target) {
        return target == Residency.COLD ? OperationKind.EVICTING : OperationKind.REHYDRATING;
    }
}
