package io.weighbridge.metadata.revision.application;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.ledger.token.Secret;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.metadata.revision.domain.Placement;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** What puts of members must know of their revision's import (spec 1.6, 1.7); called under a shared guard. */
public interface Imports {

    /** The revisions that exist, of any tenant and in any state. */
    Mono<Map<RevisionId, Import>> load(LedgerTransaction tx, Collection<RevisionId> revisions);

    /** A member write is a sign of life of its import; written every 10 s at most, and never waited for. */
    Mono<Void> beat(LedgerTransaction tx, Collection<RevisionId> revisions);

    /**
     * One revision as puts of its members see it.
     *
     * @param expectedPayloadCount members that must be COMPLETE before the manifest is put
     */
    record Import(
            RevisionId id,
            String tenantId,
            Availability availability,
            String importTokenHash,
            String manifestKey,
            long expectedPayloadCount,
            Placement placement) {

        /** Why a put with this import token is refused: CONFLICT unless IMPORTING, STALE_TOKEN for a wrong token. */
        public Optional<Problem> refuses(@Nullable String importToken) {
            if (availability != Availability.IMPORTING) {
                return Optional.of(Problem.of(ProblemCode.CONFLICT, "the revision of this group is not importing"));
            }
            return importToken != null && Secret.matches(importToken, importTokenHash)
                    ? Optional.empty()
                    : Optional.of(Problem.of(ProblemCode.STALE_TOKEN, "the import token is not the current one"));
        }
    }
}
