package io.weighbridge.wire;

import io.weighbridge.ledger.vocabulary.ReplicaState;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/nodes/{id}/segments/{segment_id}/extents}: what the ledger expects on a segment. A returning agent
 * deletes what is not on the list and reports what is missing or corrupt.
 *
 * @param nextPageToken absent at the end
 */
public record ExtentPage(
        List<ExtentPage.Extent> extents, @Nullable String nextPageToken) {

    /** @param crc32c one per 4 MiB chunk, as unsigned 32-bit values */
    public record Extent(
            UUID replicaId, String objectId, String key, long size, ReplicaState state, List<Long> crc32c) {}
}
