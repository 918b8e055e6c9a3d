package io.weighbridge.metadata.revision.application;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.metadata.revision.domain.Placement;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Whether a reconciler may still act on a revision's copies (spec 1.7, 1.8); called under the exclusive guard. */
public interface OperationClaims {

    /**
     * Checks the claim and remembers its epoch.
     *
     * @param operationId the operation the caller works for; null: the revision's removal
     * @return the revision as it is; NOT_FOUND without one, CONFLICT when the operation is not the active one (or,
     * without
     *     one, the revision is not DELETING), STALE_TOKEN when a higher epoch was seen
     */
    Mono<ClaimedRevision> check(LedgerTransaction tx, RevisionId revision, @Nullable UUID operationId, long claimEpoch);

    /**
     * What replica commands decide from.
     *
     * @param leased at least one lease protects the revision
     * @param totalMembers payload count + 1
     */
    record ClaimedRevision(
            RevisionId id,
            String tenantId,
            Availability availability,
            OperationKind operation,
            @Nullable UUID operationId,
            Placement placement,
            Residency lastTarget,
            String manifestKey,
            long totalMembers,
            boolean leased) {}
}
