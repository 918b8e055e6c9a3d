package io.weighbridge.wire;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The body of the internal {@code observe}, {@code progress}, {@code finish} and {@code finish-delete}. The members are
 * read again in the command's own transaction; what is reported here is a hint.
 *
 * @param operationId the operation that the caller works for; absent without one
 * @param claimEpoch the caller's claim; a lower one than the highest seen is STALE_TOKEN
 * @param cursor key of the last satisfied member
 */
public record Claimed(
        @Nullable UUID operationId,
        long claimEpoch,
        @Nullable Long processedMembers,
        @Nullable String cursor) {}
