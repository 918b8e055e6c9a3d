package io.weighbridge.metadata.revision.postgres;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import java.util.Collection;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Imports as member puts read them, and the sign of life that such a put is. */
public final class ImportRows {

    private static final String LOAD = "SELECT " + RevisionRows.REVISION + RevisionRows.OPERATION + RevisionRows.FROM
            + " WHERE r.revision_id = ANY(:ids)";

    /** Writers under shared guards meet on this row; who finds it locked leaves the beat to the other. */
    private static final String BEAT = """
            UPDATE metadata.import_heartbeat h SET beat_at = :now
              FROM (SELECT revision_id FROM metadata.import_heartbeat
                     WHERE revision_id = ANY(:ids) AND beat_at < :due
                     ORDER BY revision_id FOR UPDATE SKIP LOCKED) due
             WHERE h.revision_id = due.revision_id
            """;

    private static final int BEAT_SECONDS = 10;

    /** The revisions that exist, of any tenant. */
    public Flux<Registered> load(LedgerTransaction tx, Collection<RevisionId> revisions) {
        return revisions.isEmpty()
                ? Flux.empty()
                : tx.sql(LOAD)
                        .bind("ids", ids(revisions))
                        .map(RevisionRows::revision)
                        .all();
    }

    /** A sign of life of these imports; who finds the row locked leaves it to the other. */
    public Mono<Void> beat(LedgerTransaction tx, Collection<RevisionId> revisions) {
        return revisions.isEmpty()
                ? Mono.empty()
                : tx.sql(BEAT)
                        .bind("ids", ids(revisions))
                        .bind("now", tx.now())
                        .bind("due", tx.now().minusSeconds(BEAT_SECONDS))
                        .then();
    }

    private static String[] ids(Collection<RevisionId> revisions) {
        return LedgerTransaction.column(revisions, RevisionId::hex, new String[0]);
    }
}
