package io.weighbridge.metadata.revision.domain;

import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.vocabulary.Residency;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What can be asked of a revision. Ids, tokens and hashes come with the command; deciding makes none. */
public sealed interface RevisionCommand {

    /**
     * Begins an import, finds the one that is there, or takes it over.
     *
     * @param labels null: none; not compared on a repetition then
     * @param placement null: one copy in memory
     * @param payloadGroupId must be the canonical one where given
     * @param subject who asks
     * @param administrator may take over an import of another subject
     * @param tokenHash hash of the import token that is given out if this takes effect
     */
    record BeginImport(
            RevisionIdentity identity,
            ImportSummary summary,
            @Nullable Map<String, String> labels,
            @Nullable Placement placement,
            @Nullable String payloadGroupId,
            boolean takeover,
            String subject,
            boolean administrator,
            String tokenHash)
            implements RevisionCommand {}

    /** @param importToken null when none was sent */
    record HeartbeatImport(@Nullable String importToken) implements RevisionCommand {}

    /** Publishes the revision if the group is what the reference says. */
    record CommitImport(Fence fence, ManifestReference manifest) implements RevisionCommand {}

    /** @param idle give up only if the last heartbeat is at least this old; null: in any case */
    record AbortImport(Fence fence, @Nullable Duration idle) implements RevisionCommand {}

    /** Moves all members to memory (HOT) or out of it (COLD). */
    record StartResidencyOperation(Fence fence, Residency target, UUID operationId) implements RevisionCommand {}

    /** Restores every member to its wanted number of copies, by a user's wish. */
    record StartRepair(Fence fence, UUID operationId) implements RevisionCommand {}

    /** The reconciler's own repair; it yields to a user's commands, and it takes copies away too. */
    record StartAutoRepair(Fence fence, UUID operationId, long claimEpoch) implements RevisionCommand {}

    /** Changes how many copies are wanted and where. */
    record SetPlacement(Fence fence, Placement placement) implements RevisionCommand {}

    /** Gives an operation up. */
    record CancelOperation(UUID operationId) implements RevisionCommand {}

    /**
     * Ends the revision's life.
     *
     * @param waitForLeases false: refused while readers hold leases
     * @param drain how long leases may still be renewed, 0 to 24 h
     */
    record Delete(Fence fence, boolean waitForLeases, Duration drain) implements RevisionCommand {}

    /**
     * Looks at the members again.
     *
     * @param operationId the operation for which the caller works; null without one
     */
    record Observe(@Nullable UUID operationId, long claimEpoch) implements RevisionCommand {}

    /** Counts again how many members satisfy the operation. */
    record UpdateProgress(UUID operationId, long claimEpoch) implements RevisionCommand {}

    /** Ends the operation if its target is reached. */
    record FinishOperation(UUID operationId, long claimEpoch) implements RevisionCommand {}

    /** Leaves the tombstone if no copy and no lease is left. */
    record FinishDelete() implements RevisionCommand {}

    /** Whether the decision looks at the members, so that they must be read first. */
    default boolean looksAtMembers() {
        return switch (this) {
            case CommitImport _,
                    StartResidencyOperation _,
                    StartRepair _,
                    StartAutoRepair _,
                    CancelOperation _,
                    Observe _,
                    UpdateProgress _,
                    FinishOperation _,
                    FinishDelete _ -> true;
            case BeginImport _, HeartbeatImport _, AbortImport _, SetPlacement _, Delete _ -> false;
        };
    }
}
