package io.weighbridge.wire;

import io.weighbridge.ledger.vocabulary.Tier;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/node} of an agent.
 *
 * @param transports what works on this host
 * @param drivers device memory drivers that work on this host
 * @param unavailable what does not work here, by name, with the reason
 */
public record NodeDescription(
        UUID nodeId,
        UUID agentIncarnation,
        String url,
        String hostBootId,
        Map<String, String> labels,
        List<NodeDescription.TierView> tiers,
        List<String> transports,
        List<String> drivers,
        Map<String, String> unavailable) {

    /** One segment as the agent has it. */
    public record TierView(
            UUID segmentId,
            Tier tier,
            @Nullable Long segmentEpoch,
            boolean mounted,
            long capacity,
            long usedBytes,
            long extents) {}
}
