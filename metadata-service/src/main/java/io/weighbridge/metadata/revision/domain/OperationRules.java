package io.weighbridge.metadata.revision.domain;

import static io.weighbridge.ledger.decision.Decision.accepted;
import static io.weighbridge.ledger.decision.Decision.refused;
import static io.weighbridge.ledger.decision.Decision.unchanged;

import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.metadata.revision.domain.Revision.Publication;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The part of {@link RevisionDecider} that concerns operations and what is observed of the members. */
final class OperationRules {

    private OperationRules() {}

    static Decision<RevisionEvent> startResidency(
            Registered revision, RevisionCommand.StartResidencyOperation start, Circumstances seen) {
        if (!RevisionDecider.isTarget(start.target())) {
            return refused(RevisionRefusal.TARGET_UNSUPPORTED.problem());
        }
        OperationKind kind = RevisionDecider.kindOf(start.target());
        Optional<Decision<RevisionEvent>> early = startable(revision, start.fence(), kind);
        if (early.isPresent()) {
            return early.get();
        }
        if (start.target() == Residency.COLD && seen.leased()) {
            return refused(RevisionRefusal.LEASED.problem());
        }
        if (seen.members().count() != revision.totalMembers()) {
            return refused(incomplete(revision, seen));
        }
        return started(revision, start.operationId(), kind, start.target(), false, 0, seen);
    }

    static Decision<RevisionEvent> startRepair(
            Registered revision, RevisionCommand.StartRepair start, Circumstances seen) {
        Optional<Decision<RevisionEvent>> early = startable(revision, start.fence(), OperationKind.REPAIRING);
        if (early.isPresent()) {
            return early.get();
        }
        if (seen.members().count() != revision.totalMembers()) {
            return refused(incomplete(revision, seen));
        }
        return isWhole(revision, seen.members())
                ? unchanged()
                : started(revision, start.operationId(), OperationKind.REPAIRING, null, false, 0, seen);
    }

    static Decision<RevisionEvent> startAutoRepair(
            Registered revision, RevisionCommand.StartAutoRepair start, Circumstances seen) {
        Operation active = revision.operation();
        if (active != null) {
            if (!active.automatic()) {
                return refused(busy(active));
            }
            return start.fence().isAdjacent(revision.generation())
                    ? unchanged()
                    : RevisionDecider.stale(start.fence(), revision);
        }
        if (!start.fence().matches(revision.generation())) {
            return RevisionDecider.stale(start.fence(), revision);
        }
        if (!revision.isPublished()) {
            return refused(RevisionRefusal.NOT_PUBLISHED.problem());
        }
        if (seen.members().count() != revision.totalMembers()) {
            return refused(incomplete(revision, seen));
        }
        return isWhole(revision, seen.members()) && seen.members().surplus() == 0
                ? unchanged()
                : started(revision, start.operationId(), OperationKind.REPAIRING, null, true, start.claimEpoch(), seen);
    }

    static Decision<RevisionEvent> cancel(
            Registered revision, RevisionCommand.CancelOperation cancel, Circumstances seen) {
        if (!isActive(revision, cancel.operationId())) {
            return refused(RevisionRefusal.OPERATION_NOT_ACTIVE.problem());
        }
        return accepted(new RevisionEvent.OperationCancelled(
                cancel.operationId(),
                availability(revision, seen.members()),
                seen.members().residency(revision.totalMembers()),
                revision.notBefore(seen.now())));
    }

    static Decision<RevisionEvent> observe(Registered revision, RevisionCommand.Observe observe, Circumstances seen) {
        Operation active = revision.operation();
        if (!Objects.equals(observe.operationId(), active == null ? null : active.operationId())) {
            return refused(RevisionRefusal.OPERATION_NOT_ACTIVE.problem());
        }
        if (active != null && observe.claimEpoch() < active.claimEpoch()) {
            return refused(RevisionRefusal.CLAIM_STALE.problem());
        }
        if (!revision.isPublished()) {
            return unchanged();
        }
        Availability availability = availability(revision, seen.members());
        Residency residency = seen.members().residency(revision.totalMembers());
        if (availability == revision.availability() && residency == revision.residency()) {
            return claimed(active, observe.claimEpoch());
        }
        RevisionEvent observed =
                new RevisionEvent.RevisionObserved(availability, residency, revision.notBefore(seen.now()));
        return active != null && observe.claimEpoch() > active.claimEpoch()
                ? accepted(new RevisionEvent.OperationClaimed(active.operationId(), observe.claimEpoch()), observed)
                : accepted(observed);
    }

    static Decision<RevisionEvent> updateProgress(
            Registered revision, RevisionCommand.UpdateProgress update, Circumstances seen) {
        Operation active = revision.operation();
        if (active == null || !isActive(revision, update.operationId())) {
            return refused(RevisionRefusal.OPERATION_NOT_ACTIVE.problem());
        }
        if (update.claimEpoch() < active.claimEpoch()) {
            return refused(RevisionRefusal.CLAIM_STALE.problem());
        }
        Members.Progress progress = seen.members().towards(active.kind());
        long processed = Math.min(progress.count(), active.totalMembers());
        if (processed == active.processedMembers() && Objects.equals(progress.lastKey(), active.cursor())) {
            return claimed(active, update.claimEpoch());
        }
        return accepted(new RevisionEvent.OperationProgressed(
                active.operationId(),
                processed,
                progress.lastKey(),
                update.claimEpoch(),
                laterThan(active.updatedAt(), seen.now())));
    }

    static Decision<RevisionEvent> finish(
            Registered revision, RevisionCommand.FinishOperation finish, Circumstances seen) {
        Operation active = revision.operation();
        if (active == null || !isActive(revision, finish.operationId())) {
            return refused(RevisionRefusal.OPERATION_NOT_ACTIVE.problem());
        }
        if (finish.claimEpoch() < active.claimEpoch()) {
            return refused(RevisionRefusal.CLAIM_STALE.problem());
        }
        Members members = seen.members();
        Availability availability = availability(revision, members);
        long satisfied = members.towards(active.kind()).count();
        if (availability != Availability.READY || satisfied != revision.totalMembers()) {
            return refused(RevisionRefusal.TARGET_NOT_REACHED.problem(
                    satisfied + " of " + revision.totalMembers() + " members are where the operation wants them"));
        }
        return accepted(new RevisionEvent.OperationFinished(
                active.operationId(),
                finish.claimEpoch(),
                availability,
                members.residency(revision.totalMembers()),
                revision.notBefore(seen.now())));
    }

    /** The event, after an automatic operation made way for it. */
    static Decision<RevisionEvent> afterAutomatic(Registered revision, RevisionEvent event) {
        Operation active = revision.operation();
        return active != null && active.automatic()
                ? accepted(new RevisionEvent.OperationSuperseded(active.operationId(), event.at()), event)
                : accepted(event);
    }

    /** The checks that all starts by a user share, up to the state; empty when they hold. */
    private static Optional<Decision<RevisionEvent>> startable(Registered revision, Fence fence, OperationKind kind) {
        Operation active = revision.operation();
        if (active != null && !active.automatic()) {
            if (active.kind() != kind) {
                return Optional.of(refused(busy(active)));
            }
            return Optional.of(
                    fence.isAdjacent(revision.generation()) ? unchanged() : RevisionDecider.stale(fence, revision));
        }
        if (!fence.matches(revision.generation())) {
            return Optional.of(RevisionDecider.stale(fence, revision));
        }
        return revision.isPublished()
                ? Optional.empty()
                : Optional.of(refused(RevisionRefusal.NOT_PUBLISHED.problem()));
    }

    private static Decision<RevisionEvent> started(
            Registered revision,
            UUID operationId,
            OperationKind kind,
            @Nullable Residency target,
            boolean automatic,
            long claimEpoch,
            Circumstances seen) {
        Instant at = revision.notBefore(seen.now());
        long total = revision.totalMembers();
        Members.Progress progress = seen.members().towards(kind);
        Operation operation = new Operation(
                operationId,
                kind,
                target,
                true,
                automatic,
                revision.generation(),
                at,
                at,
                Math.min(progress.count(), total),
                total,
                progress.lastKey(),
                null,
                claimEpoch);
        return afterAutomatic(revision, new RevisionEvent.OperationStarted(operation, at));
    }

    private static Decision<RevisionEvent> claimed(@Nullable Operation active, long claimEpoch) {
        return active != null && claimEpoch > active.claimEpoch()
                ? accepted(new RevisionEvent.OperationClaimed(active.operationId(), claimEpoch))
                : unchanged();
    }

    private static boolean isActive(Registered revision, UUID operationId) {
        Operation active = revision.operation();
        return active != null && active.operationId().equals(operationId);
    }

    /** Nothing is missing and nothing below the placement. */
    private static boolean isWhole(Registered revision, Members members) {
        return availability(revision, members) == Availability.READY
                && members.placed().count() == revision.totalMembers();
    }

    private static Availability availability(Registered revision, Members members) {
        Publication published = Objects.requireNonNull(revision.publication(), "published without a manifest");
        return members.areComplete(published.manifest()) ? Availability.READY : Availability.DEGRADED;
    }

    private static Problem incomplete(Registered revision, Circumstances seen) {
        return RevisionRefusal.MEMBERS_INCOMPLETE.problem(
                "the group has " + seen.members().count() + " members, not " + revision.totalMembers());
    }

    private static Problem busy(Operation active) {
        return RevisionRefusal.OPERATION_ACTIVE.problem("the operation " + active.operationId() + " is active");
    }

    /** Later than what was written before, by a millisecond at least: this time is also the entry's version. */
    private static Instant laterThan(Instant before, Instant now) {
        return now.isAfter(before) ? now : before.plusMillis(1);
    }
}
