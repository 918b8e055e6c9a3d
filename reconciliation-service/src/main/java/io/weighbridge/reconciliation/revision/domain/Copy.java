package io.weighbridge.reconciliation.revision.domain;

import io.weighbridge.ledger.vocabulary.Tier;
import java.util.UUID;

/** One copy of a member on one node. */
public record Copy(UUID replicaId, UUID nodeId, UUID segmentId, Tier tier, CopyState state) {

    public boolean isReadable() {
        return state == CopyState.READABLE;
    }

    public boolean isHot() {
        return tier.isHot();
    }
}
