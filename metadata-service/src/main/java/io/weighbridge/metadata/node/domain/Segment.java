package io.weighbridge.metadata.node.domain;

import io.weighbridge.ledger.vocabulary.SegmentState;
import io.weighbridge.ledger.vocabulary.Tier;
import java.util.UUID;

/**
 * A part of a node that holds copies (spec 2.6).
 *
 * @param arenaId random, made with the bytes: another one means that the bytes are lost
 * @param epoch moves when the bytes may have been lost
 * @param capacity bytes
 * @param usedBytes allocated
 * @param ioFailures decaying: halved before each new count is added
 */
public record Segment(
        UUID segmentId,
        UUID nodeId,
        Tier tier,
        UUID arenaId,
        SegmentState state,
        long epoch,
        long capacity,
        long usedBytes,
        long ioFailures) {

    /** The same in another state. */
    public Segment in(SegmentState next) {
        return new Segment(segmentId, nodeId, tier, arenaId, next, epoch, capacity, usedBytes, ioFailures);
    }

    Segment withFailures(long failures) {
        return new Segment(segmentId, nodeId, tier, arenaId, state, epoch, capacity, usedBytes, failures);
    }
}
