package io.weighbridge.metadata.object.domain;

import io.weighbridge.ledger.vocabulary.Tier;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A segment that can take copies: mounted, on a live node that has a key to sign write tokens with.
 *
 * @param url the agent's
 * @param used bytes allocated
 * @param zone the node's label, if any
 * @param rack the node's label, if any
 * @param nodeAge how long its node has been registered, in milliseconds
 */
public record Room(
        UUID segmentId,
        UUID nodeId,
        String url,
        Tier tier,
        long segmentEpoch,
        long capacity,
        long used,
        @Nullable String zone,
        @Nullable String rack,
        long nodeAge) {

    boolean fits(long size) {
        return capacity - used >= size;
    }

    double freeRatio() {
        return capacity == 0 ? 0 : (double) (capacity - used) / capacity;
    }

    /** The same with so many bytes more, or fewer, in use. */
    public Room plus(long bytes) {
        return new Room(segmentId, nodeId, url, tier, segmentEpoch, capacity, used + bytes, zone, rack, nodeAge);
    }
}
