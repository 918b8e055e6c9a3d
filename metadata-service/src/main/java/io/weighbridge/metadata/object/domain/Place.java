package io.weighbridge.metadata.object.domain;

import io.weighbridge.ledger.vocabulary.NodeState;
import io.weighbridge.ledger.vocabulary.SegmentState;
import io.weighbridge.ledger.vocabulary.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A segment and its node as they are now.
 *
 * @param url the agent's
 * @param used bytes allocated
 * @param zone the node's label, if any
 * @param rack the node's label, if any
 */
public record Place(
        UUID segmentId,
        UUID nodeId,
        String url,
        Tier tier,
        SegmentState state,
        NodeState nodeState,
        long segmentEpoch,
        long capacity,
        long used,
        @Nullable String zone,
        @Nullable String rack,
        Instant registeredAt) {

    /** What this place means for a copy that was made under an epoch (spec 2.1). */
    public Standing standing(long copyEpoch) {
        if (copyEpoch != segmentEpoch) {
            return Standing.MOVED;
        }
        return switch (nodeState) {
            case DEAD -> Standing.AWAY;
            case JOINING, LIVE, SUSPECT ->
                switch (state) {
                    case MOUNTED, DRAINING -> Standing.SOUND;
                    case VERIFYING -> Standing.VERIFYING;
                    case QUARANTINED, UNMOUNTED -> Standing.AWAY;
                };
        };
    }

    /** New copies may go here. */
    public boolean isAllocatable() {
        return nodeState == NodeState.LIVE && state == SegmentState.MOUNTED;
    }

    /** As the allocator sees it. */
    public Room room(Instant now) {
        long age = Math.max(0, Duration.between(registeredAt, now).toMillis());
        return new Room(segmentId, nodeId, url, tier, segmentEpoch, capacity, used, zone, rack, age);
    }
}
