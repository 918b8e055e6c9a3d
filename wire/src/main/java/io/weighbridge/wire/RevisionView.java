package io.weighbridge.wire;

import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One revision as its metadata generation covers it; the ETag is {@code metadataGeneration} (spec 5.1).
 *
 * @param payloadGroupId the canonical group of its members, known from the start
 * @param manifestKey the canonical manifest key, known from the start
 * @param manifest absent before the commit
 * @param commitFence the generation that the commit expected; absent before it
 * @param drainDeadline until when leases of a DELETING revision may be renewed
 */
public record RevisionView(
        String revisionId,
        String tenantId,
        String namespace,
        String resourceId,
        String revision,
        long weightGeneration,
        long expectedPayloadCount,
        long expectedLogicalBytes,
        String payloadGroupId,
        String manifestKey,
        @Nullable ManifestReference manifest,
        @Nullable Long commitFence,
        Availability availability,
        Residency residency,
        OperationKind operation,
        @Nullable UUID operationId,
        long metadataGeneration,
        Map<String, String> labels,
        Placement placement,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant committedAt,
        @Nullable Instant drainDeadline) {}
