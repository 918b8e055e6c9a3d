package io.weighbridge.reconciliation.revision.domain;

import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;

/**
 * What one operation wants of each member.
 *
 * @param hot copies in memory that are to be made where they are missing
 * @param cold copies on cold tiers that are to be made where they are missing
 * @param hotSurplusAbove copies in memory beyond which a repair retires
 * @param coldSurplusAbove copies on cold tiers beyond which a repair retires
 */
record Goal(OperationKind kind, int hot, int cold, int hotSurplusAbove, int coldSurplusAbove) {

    /**
     * One cold copy is never surplus: an eviction has made it, the next one needs it, and it outlives the memory of
     * every node. An evicted revision is not heated again (spec 1.5, SetPlacement).
     */
    static Goal of(OperationKind kind, RevisionRow row) {
        Wanted wanted = row.wanted();
        int keptCold = Math.max(1, wanted.coldReplicas());
        return switch (kind) {
            case EVICTING -> new Goal(kind, 0, keptCold, 0, keptCold);
            case REHYDRATING -> new Goal(kind, wanted.memoryReplicas(), 0, wanted.memoryReplicas(), keptCold);
            case REPAIRING, NONE ->
                row.lastTarget() == Residency.COLD
                        ? new Goal(kind, 0, keptCold, wanted.memoryReplicas(), keptCold)
                        : new Goal(
                                kind,
                                wanted.memoryReplicas(),
                                wanted.coldReplicas(),
                                wanted.memoryReplicas(),
                                keptCold);
        };
    }

    int wanted(boolean isHot) {
        return isHot ? hot : cold;
    }

    int surplusAbove(boolean isHot) {
        return isHot ? hotSurplusAbove : coldSurplusAbove;
    }
}
