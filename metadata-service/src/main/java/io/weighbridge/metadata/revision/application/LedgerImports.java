package io.weighbridge.metadata.revision.application;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import io.weighbridge.metadata.revision.postgres.ImportRows;
import java.util.Collection;
import java.util.Map;
import reactor.core.publisher.Mono;

/** Imports as the ledger has them. */
public final class LedgerImports implements Imports {

    private final ImportRows rows;

    public LedgerImports(ImportRows rows) {
        this.rows = rows;
    }

    @Override
    public Mono<Map<RevisionId, Import>> load(LedgerTransaction tx, Collection<RevisionId> revisions) {
        return rows.load(tx, revisions).map(LedgerImports::of).collectMap(Import::id);
    }

    @Override
    public Mono<Void> beat(LedgerTransaction tx, Collection<RevisionId> revisions) {
        return rows.beat(tx, revisions);
    }

    private static Import of(Registered revision) {
        return new Import(
                revision.id(),
                revision.identity().tenantId(),
                revision.availability(),
                revision.session().tokenHash(),
                revision.identity().manifestKey(),
                revision.summary().payloadCount(),
                revision.placement());
    }
}
