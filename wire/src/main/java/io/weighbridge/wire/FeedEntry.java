package io.weighbridge.wire;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One committed change (spec 1.9).
 *
 * @param cursor resumes after this entry
 * @param kind such as {@code RevisionCommitted}
 * @param entity such as {@code revision}, {@code lease}, {@code operation}, {@code node}
 * @param entityVersion consumers apply an entry only if it is newer than what they have
 * @param revisionId of the revision concerned, if any
 * @param nodeId of the node concerned, if any
 * @param subject who did it
 * @param state the entity after the change, with {@code snake_case} names
 */
public record FeedEntry(
        String cursor,
        String kind,
        String entity,
        String entityId,
        long entityVersion,
        String tenantId,
        @Nullable String revisionId,
        @Nullable UUID nodeId,
        String subject,
        Instant at,
        Map<String, Object> state) {}
