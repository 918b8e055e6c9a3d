package io.weighbridge.metadata.revision.domain;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.Residency;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What can have happened to a revision. Times are whole milliseconds of the ledger's clock. */
public sealed interface RevisionEvent {

    /** When, as decided. */
    Instant at();

    /** An import began; the revision exists with generation 1. */
    record ImportBegun(
            RevisionIdentity identity,
            ImportSummary summary,
            Map<String, String> labels,
            Placement placement,
            String tokenHash,
            String subject,
            Instant at)
            implements RevisionEvent {}

    /** A new import token replaced the old one; pending puts under the old one are revoked. */
    record ImportTakenOver(String tokenHash, String subject, Instant at) implements RevisionEvent {}

    /** The importer is alive. */
    record ImportHeartbeatSeen(Instant at) implements RevisionEvent {}

    /** The manifest is published and the revision READY. */
    record ImportCommitted(ManifestReference manifest, long commitFence, Residency residency, Instant at)
            implements RevisionEvent {}

    /** The import was given up; its objects are to be removed. */
    record ImportAborted(Instant at) implements RevisionEvent {}

    /** An operation became the active one. */
    record OperationStarted(Operation operation, Instant at) implements RevisionEvent {}

    /**
     * An automatic operation made way for a user's command; the event of that command advances the generation for both.
     */
    record OperationSuperseded(UUID operationId, Instant at) implements RevisionEvent {}

    /** More or fewer members satisfy the operation than before. */
    record OperationProgressed(
            UUID operationId,
            long processedMembers,
            @Nullable String cursor,
            long claimEpoch,
            Instant at) implements RevisionEvent {}

    /** A newer claim works on the operation; older ones are refused from now on. */
    record OperationClaimed(UUID operationId, long claimEpoch) implements RevisionEvent {
        @Override
        public Instant at() {
            return Instant.EPOCH;
        }
    }

    /** The operation reached its target. */
    record OperationFinished(
            UUID operationId, long claimEpoch, Availability availability, Residency residency, Instant at)
            implements RevisionEvent {}

    /** A user gave the operation up. */
    record OperationCancelled(UUID operationId, Availability availability, Residency residency, Instant at)
            implements RevisionEvent {}

    /** Copies are wanted elsewhere or in another number. */
    record PlacementSet(Placement placement, Instant at) implements RevisionEvent {}

    /** Availability or residency were seen to have changed. */
    record RevisionObserved(Availability availability, Residency residency, Instant at) implements RevisionEvent {}

    /** The revision grants no leases any more; existing ones may be renewed until the deadline. */
    record DeleteStarted(Instant drainDeadline, Instant at) implements RevisionEvent {}

    /** No copy is left; the tombstone stays. */
    record DeleteFinished(Instant at) implements RevisionEvent {}

    /** Whether this changes what the revision's generation covers (spec 1.5). */
    default boolean advancesGeneration() {
        return switch (this) {
            case ImportBegun _,
                    ImportTakenOver _,
                    ImportHeartbeatSeen _,
                    OperationSuperseded _,
                    OperationProgressed _,
                    OperationClaimed _ -> false;
            case ImportCommitted _,
                    ImportAborted _,
                    OperationStarted _,
                    OperationFinished _,
                    OperationCancelled _,
                    PlacementSet _,
                    RevisionObserved _,
                    DeleteStarted _,
                    DeleteFinished _ -> true;
        };
    }
}
