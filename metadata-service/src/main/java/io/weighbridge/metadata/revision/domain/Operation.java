package io.weighbridge.metadata.revision.domain;

import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Durable work on all members of one revision (spec 1.2).
 *
 * @param targetResidency HOT or COLD; null for a repair
 * @param automatic started by the reconciler; a user's command cancels it instead of waiting for it
 * @param fencedGeneration the revision's generation that the starter expected
 * @param processedMembers members that satisfy the operation, 0 to {@code totalMembers}
 * @param totalMembers payload count + 1
 * @param cursor key of the last satisfied member
 * @param message how it ended, or null
 * @param claimEpoch the highest claim that has worked on it; 0 before the first
 */
public record Operation(
        UUID operationId,
        OperationKind kind,
        @Nullable Residency targetResidency,
        boolean active,
        boolean automatic,
        long fencedGeneration,
        Instant startedAt,
        Instant updatedAt,
        long processedMembers,
        long totalMembers,
        @Nullable String cursor,
        @Nullable String message,
        long claimEpoch) {

    /** The message of an operation whose target was reached. */
    public static final String COMPLETED = "completed";

    /** The message of an operation that was given up. */
    public static final String CANCELLED = "cancelled";

    public Operation {
        if (kind == OperationKind.NONE
                || (kind == OperationKind.REPAIRING) != (targetResidency == null)
                || processedMembers < 0
                || processedMembers > totalMembers) {
            throw new IllegalStateException("impossible operation " + operationId);
        }
    }

    /** With another count of satisfied members. */
    Operation progressed(long processed, @Nullable String lastKey, long epoch, Instant at) {
        return new Operation(
                operationId,
                kind,
                targetResidency,
                active,
                automatic,
                fencedGeneration,
                startedAt,
                at,
                processed,
                totalMembers,
                lastKey,
                message,
                epoch);
    }

    /** Worked on under a newer claim. */
    public Operation claimed(long epoch) {
        return new Operation(
                operationId,
                kind,
                targetResidency,
                active,
                automatic,
                fencedGeneration,
                startedAt,
                updatedAt,
                processedMembers,
                totalMembers,
                cursor,
                message,
                epoch);
    }

    /** Over, with its target reached. */
    public Operation completed(long epoch, Instant at) {
        return new Operation(
                operationId,
                kind,
                targetResidency,
                false,
                automatic,
                fencedGeneration,
                startedAt,
                at,
                totalMembers,
                totalMembers,
                cursor,
                COMPLETED,
                epoch);
    }

    /** Over, given up. */
    public Operation cancelled(Instant at) {
        return new Operation(
                operationId,
                kind,
                targetResidency,
                false,
                automatic,
                fencedGeneration,
                startedAt,
                at,
                processedMembers,
                totalMembers,
                cursor,
                CANCELLED,
                claimEpoch);
    }
}
