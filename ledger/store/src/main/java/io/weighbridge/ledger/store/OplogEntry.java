package io.weighbridge.ledger.store;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.vocabulary.EntryKind;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One effective mutation with the entity's full state after it (spec 1.9).
 *
 * @param entityVersion grows with each entry of the same entity
 * @param tenantId empty for what belongs to no tenant, such as nodes
 * @param revisionId of the revision concerned, if any
 * @param nodeId of the node concerned, if any
 * @param subject who did it
 * @param state a JSON object
 */
public record OplogEntry(
        EntryKind kind,
        String entityId,
        long entityVersion,
        String tenantId,
        @Nullable RevisionId revisionId,
        @Nullable UUID nodeId,
        String subject,
        String state) {}
