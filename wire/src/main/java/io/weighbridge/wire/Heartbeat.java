package io.weighbridge.wire;

import java.util.List;
import java.util.UUID;

/**
 * {@code POST /v1/nodes/{id}/heartbeat}.
 */
public record Heartbeat(UUID agentIncarnation, List<Heartbeat.Segment> segments) {

    /**
     * @param usedBytes as the agent counts them
     * @param ioFailures since the last heartbeat
     */
    public record Segment(UUID segmentId, long usedBytes, long ioFailures) {}
}
