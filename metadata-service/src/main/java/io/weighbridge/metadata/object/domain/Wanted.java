package io.weighbridge.metadata.object.domain;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.vocabulary.ObjectType;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a writer says of the object that it will write.
 *
 * @param size bytes
 * @param groupId null: none
 * @param revisionId of a managed group
 * @param pinnedUntil of a soft pin
 */
public record Wanted(
        long size,
        ObjectType type,
        @Nullable String groupId,
        @Nullable RevisionId revisionId,
        Pin pin,
        @Nullable Instant pinnedUntil) {}
