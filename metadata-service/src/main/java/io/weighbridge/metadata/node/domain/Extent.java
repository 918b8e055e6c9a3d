package io.weighbridge.metadata.node.domain;

import io.weighbridge.ledger.vocabulary.ReplicaState;
import java.util.List;
import java.util.UUID;

/**
 * A copy that the ledger expects on a segment.
 *
 * @param size bytes
 * @param crc32c one per 4 MiB chunk; empty until all bytes were stored
 */
public record Extent(UUID replicaId, String objectId, String key, long size, ReplicaState state, List<Long> crc32c) {

    public Extent {
        crc32c = List.copyOf(crc32c);
    }
}
