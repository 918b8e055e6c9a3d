package io.weighbridge.wire;

import io.weighbridge.ledger.vocabulary.Tier;
import java.util.List;
import java.util.UUID;

/**
 * {@code POST /v1/transfers} of an agent, from the control plane only: pulls whole objects into new copies. Idempotent
 * by target replica.
 */
public record StartTransfers(List<StartTransfers.Item> items) {

    /**
     * @param key the object's key
     * @param digest what the bytes must have
     * @param sources copies to read, best first; another is used when one fails
     */
    public record Item(String key, String digest, List<Source> sources, Target target) {}

    /** @param url the source agent's base URL; may be this agent's own, for a move between its tiers */
    public record Source(String url, UUID nodeId, UUID replicaId, Tier tier, String readLease) {}

    /** The copy to make. */
    public record Target(UUID replicaId, String writeToken) {}
}
