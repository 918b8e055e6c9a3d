package io.weighbridge.wire;

import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Durable work on one revision; kept after completion (spec 1.2).
 *
 * @param kind EVICTING, REHYDRATING or REPAIRING
 * @param targetResidency absent for a repair
 * @param active whether it is the revision's current operation
 * @param automatic started by the reconciler, not by a user
 * @param totalMembers payload count + 1
 * @param cursor the last satisfied member's key
 */
public record OperationView(
        UUID operationId,
        String revisionId,
        OperationKind kind,
        @Nullable Residency targetResidency,
        boolean active,
        boolean automatic,
        long fencedMetadataGeneration,
        Instant startedAt,
        Instant updatedAt,
        long processedMembers,
        long totalMembers,
        @Nullable String cursor,
        @Nullable String message) {}
