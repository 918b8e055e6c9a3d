package io.weighbridge.metadata.object.application;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.metadata.object.domain.Put;
import io.weighbridge.metadata.object.domain.PutBook;
import io.weighbridge.metadata.object.domain.PutCommand;
import io.weighbridge.metadata.object.postgres.PutProjection;
import io.weighbridge.metadata.object.postgres.PutRows;
import io.weighbridge.metadata.revision.application.MemberPuts;
import java.util.List;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Revokes the pending puts of a revision's members inside the revision's own command. */
public final class MemberPutsRevocation implements MemberPuts {

    private static final String PENDING = """
            SELECT object_id FROM metadata.put
             WHERE revision_id = :revision AND state = 'PENDING'
            """;

    private final PutRows puts = new PutRows();
    private final PutProjection projection = new PutProjection();
    private final ObjectEntries entries;

    public MemberPutsRevocation(JsonMapper json) {
        this.entries = new ObjectEntries(json);
    }

    @Override
    public Mono<Void> revokePending(LedgerTransaction tx, RevisionId revision) {
        return tx.sql(PENDING)
                .bind("revision", revision.hex())
                .map(row -> row.get("object_id", String.class))
                .all()
                .distinct()
                .collectList()
                .flatMap(ids -> puts.lock(tx::sql, ids))
                .flatMap(members -> members.isEmpty() ? Mono.empty() : revoke(tx, members));
    }

    private Mono<Void> revoke(LedgerTransaction tx, List<Put> members) {
        PutBook book = new PutBook(tx.now(), members, List.of(), node -> false);
        for (Put put : members) {
            book.apply(put, new PutCommand.Abandon(), ObjectSweeps.SUBJECT);
        }
        return projection.write(tx::sql, book).flatMap(raced -> tx.append(entries.of(book, raced)));
    }
}
