package io.weighbridge.metadata.revision.domain;

import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.metadata.revision.domain.Revision.ImportSession;
import io.weighbridge.metadata.revision.domain.Revision.Publication;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The one way in which a revision changes: an event that has happened makes the next state. */
final class RevisionHistory {

    private RevisionHistory() {}

    /** @throws IllegalStateException when the event cannot have happened in this state */
    static Revision apply(Revision state, RevisionEvent event) {
        if (event instanceof RevisionEvent.ImportBegun begun) {
            return begin(begun);
        }
        return switch (state) {
            case Revision.NoRevision() -> throw new IllegalStateException("nothing has begun, yet " + event);
            case Registered revision -> apply(revision, event);
        };
    }

    private static Registered begin(RevisionEvent.ImportBegun begun) {
        return new Registered(
                begun.identity(),
                begun.summary(),
                new ImportSession(begun.tokenHash(), begun.subject(), begun.at()),
                null,
                Availability.IMPORTING,
                Residency.UNKNOWN,
                Residency.HOT,
                null,
                1,
                begun.labels(),
                begun.placement(),
                null,
                begun.at(),
                begun.at());
    }

    private static Registered apply(Registered was, RevisionEvent event) {
        Draft next = new Draft(was);
        switch (event) {
            case RevisionEvent.ImportBegun begun -> throw new IllegalStateException("begun twice: " + begun.identity());
            case RevisionEvent.ImportTakenOver(String tokenHash, String subject, Instant at) ->
                next.session = new ImportSession(tokenHash, subject, at);
            case RevisionEvent.ImportHeartbeatSeen(Instant at) ->
                next.session = new ImportSession(
                        was.session().tokenHash(), was.session().subject(), at);
            case RevisionEvent.ImportCommitted committed -> {
                next.publication = new Publication(committed.manifest(), committed.commitFence(), committed.at());
                next.observed(Availability.READY, committed.residency());
                next.lastTarget = Residency.HOT;
            }
            case RevisionEvent.ImportAborted(Instant at) -> next.deleting(at);
            case RevisionEvent.OperationStarted(Operation operation, Instant _) -> next.operation = operation;
            case RevisionEvent.OperationSuperseded _ -> next.operation = null;
            case RevisionEvent.OperationProgressed progressed ->
                next.operation = active(was)
                        .progressed(
                                progressed.processedMembers(),
                                progressed.cursor(),
                                progressed.claimEpoch(),
                                progressed.at());
            case RevisionEvent.OperationClaimed(var _, long claimEpoch) ->
                next.operation = active(was).claimed(claimEpoch);
            case RevisionEvent.OperationFinished finished -> {
                Residency target = active(was).targetResidency();
                next.lastTarget = target == null ? was.lastTarget() : target;
                next.operation = null;
                next.observed(finished.availability(), finished.residency());
            }
            case RevisionEvent.OperationCancelled cancelled -> {
                next.operation = null;
                next.observed(cancelled.availability(), cancelled.residency());
            }
            case RevisionEvent.PlacementSet(Placement placement, Instant _) -> next.placement = placement;
            case RevisionEvent.RevisionObserved observed ->
                next.observed(observed.availability(), observed.residency());
            case RevisionEvent.DeleteStarted(Instant drainDeadline, Instant _) -> next.deleting(drainDeadline);
            case RevisionEvent.DeleteFinished _ -> next.observed(Availability.DELETED, Residency.ABSENT);
        }
        return next.advancedBy(event);
    }

    private static Operation active(Registered revision) {
        return Objects.requireNonNull(revision.operation(), "no active operation");
    }

    /** What events change, so that each names only that. */
    private static final class Draft {
        private final Registered was;
        private ImportSession session;
        private @Nullable Publication publication;
        private Availability availability;
        private Residency residency;
        private Residency lastTarget;
        private @Nullable Operation operation;
        private Placement placement;
        private @Nullable Instant drainDeadline;

        Draft(Registered was) {
            this.was = was;
            this.session = was.session();
            this.publication = was.publication();
            this.availability = was.availability();
            this.residency = was.residency();
            this.lastTarget = was.lastTarget();
            this.operation = was.operation();
            this.placement = was.placement();
            this.drainDeadline = was.drainDeadline();
        }

        void observed(Availability seen, Residency where) {
            availability = seen;
            residency = where;
        }

        void deleting(Instant deadline) {
            availability = Availability.DELETING;
            drainDeadline = deadline;
        }

        Registered advancedBy(RevisionEvent event) {
            boolean advances = event.advancesGeneration();
            return new Registered(
                    was.identity(),
                    was.summary(),
                    session,
                    publication,
                    availability,
                    residency,
                    lastTarget,
                    operation,
                    advances ? was.generation() + 1 : was.generation(),
                    was.labels(),
                    placement,
                    drainDeadline,
                    was.createdAt(),
                    advances ? was.notBefore(event.at()) : was.updatedAt());
        }
    }
}
