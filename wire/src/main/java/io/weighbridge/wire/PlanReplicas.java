package io.weighbridge.wire;

import io.weighbridge.ledger.vocabulary.Tier;
import java.util.List;
import java.util.UUID;

/**
 * {@code POST /v1/internal/replicas/plan}: reserve space for more copies under an operation.
 */
public record PlanReplicas(String revisionId, UUID operationId, long claimEpoch, List<PlanReplicas.Item> items) {

    /** One more copy of a member. */
    public record Item(String key, Tier tier, UUID nodeId) {}
}
