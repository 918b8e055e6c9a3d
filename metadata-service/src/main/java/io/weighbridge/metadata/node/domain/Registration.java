package io.weighbridge.metadata.node.domain;

import io.weighbridge.ledger.vocabulary.Tier;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What an agent says of itself when it starts (spec 2.6).
 *
 * @param segments all it offers; those it no longer names are unmounted
 */
public record Registration(
        UUID nodeId,
        UUID agentIncarnation,
        String url,
        Map<String, String> labels,
        String hostBootId,
        String subject,
        List<Offer> segments) {

    /** One segment on offer. */
    public record Offer(UUID segmentId, Tier tier, UUID arenaId, long capacity) {}

    public Registration {
        labels = Map.copyOf(labels);
        segments = List.copyOf(segments);
    }
}
