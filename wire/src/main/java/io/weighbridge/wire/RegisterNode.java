package io.weighbridge.wire;

import io.weighbridge.ledger.vocabulary.Tier;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * {@code POST /v1/nodes}: an agent announces itself (spec 2.6, 4).
 *
 * @param nodeId made once by the agent and kept by it
 * @param agentIncarnation new at each start
 * @param url where others reach the agent
 * @param hostBootId equal for agents of one host
 * @param segments all segments it offers; those it no longer names are unmounted
 */
public record RegisterNode(
        UUID nodeId,
        UUID agentIncarnation,
        String url,
        Map<String, String> labels,
        String hostBootId,
        List<RegisterNode.Segment> segments) {

    /**
     * @param arenaId random, made with the bytes: a new one moves the segment's epoch, since the bytes are lost
     * @param capacity bytes
     */
    public record Segment(UUID segmentId, Tier tier, UUID arenaId, long capacity) {}
}
