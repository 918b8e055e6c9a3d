package io.weighbridge.wire;

import io.weighbridge.ledger.vocabulary.SegmentState;
import io.weighbridge.ledger.vocabulary.Tier;
import java.util.UUID;

/**
 * @param usedBytes allocated, whether written or not
 */
public record SegmentView(
        UUID segmentId, UUID nodeId, Tier tier, SegmentState state, long segmentEpoch, long capacity, long usedBytes) {}
