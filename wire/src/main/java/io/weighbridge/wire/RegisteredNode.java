package io.weighbridge.wire;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * @param segments in request order, with the epochs that write tokens and read leases will carry
 * @param heartbeatIntervalMs how often the agent shall report
 */
public record RegisteredNode(UUID nodeId, Instant databaseTime, long heartbeatIntervalMs, List<SegmentView> segments) {}
