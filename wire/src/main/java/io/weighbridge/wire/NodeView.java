package io.weighbridge.wire;

import io.weighbridge.ledger.vocabulary.NodeState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * @param lastHeartbeat absent before the first
 */
public record NodeView(
        UUID nodeId,
        UUID agentIncarnation,
        String url,
        Map<String, String> labels,
        NodeState state,
        @Nullable Instant lastHeartbeat,
        Instant registeredAt,
        List<SegmentView> segments) {}
