package io.weighbridge.metadata.revision.application;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.store.LedgerTransaction;
import reactor.core.publisher.Mono;

/** What a revision's commands want from the subject {@code object}. */
public interface MemberPuts {

    /**
     * Revokes every put in progress of a member, so that no byte of an older writer can enter the group. Called under
     * the
     * revision's exclusive guard, in the command's transaction.
     */
    Mono<Void> revokePending(LedgerTransaction tx, RevisionId revision);
}
