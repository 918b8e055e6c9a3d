package io.weighbridge.reconciliation.revision.application;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.reconciliation.revision.domain.Member;
import io.weighbridge.reconciliation.revision.domain.RevisionSituation;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A situation, and what acting upon it needs besides.
 *
 * @param at the ledger's clock
 * @param urls the agents' addresses, by node
 */
record Sight(RevisionId revision, String tenantId, Instant at, RevisionSituation situation, Map<UUID, String> urls) {

    Optional<UUID> operationId() {
        return Optional.ofNullable(situation.operation()).map(operation -> operation.operationId());
    }

    Optional<Member> member(String key) {
        return situation.members().stream()
                .filter(member -> member.key().equals(key))
                .findFirst();
    }

    boolean isDeleting() {
        return situation.row().availability() == Availability.DELETING;
    }
}
