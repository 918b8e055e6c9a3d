package io.weighbridge.metadata.object.postgres;

import static io.weighbridge.metadata.object.postgres.Columns.get;
import static io.weighbridge.metadata.object.postgres.Columns.number;
import static io.weighbridge.metadata.object.postgres.Columns.word;

import io.r2dbc.spi.Readable;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.metadata.object.domain.Membership;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Reads what writes to members are checked against; under the revisions' shared guards. */
public final class MemberRows {

    /**
     * A revision as its members' writers see it.
     *
     * @param operationId the active operation
     */
    public record Owner(Membership membership, @Nullable UUID operationId) {}

    private static final String OWNERS = """
        SELECT r.revision_id, r.tenant_id, r.availability, r.import_token_hash, r.manifest_key,
               r.expected_payload_count, r.operation_id,
               CASE WHEN r.revision_id = ANY(:counted)
                    THEN (SELECT count(*) FROM metadata.object o
                           WHERE o.revision_id = r.revision_id AND o.object_version > 0 AND o.key <> r.manifest_key)
                    ELSE 0 END AS stored_payloads
          FROM metadata.revision r WHERE r.revision_id = ANY(:ids)
        """;

    private static final String REMAINING = """
        SELECT count(*) AS remaining
          FROM metadata.object o JOIN metadata.replica r USING (object_id)
         WHERE o.revision_id = :revision AND o.key <> :manifest AND r.state NOT IN ('FAILED', 'REMOVED')
           AND r.replica_id <> ALL(:retiring)
        """;

    /** Payload members' copies that are left besides some. */
    public Mono<Long> remaining(Sql sql, RevisionId revision, String manifestKey, Collection<UUID> retiring) {
        return sql.sql(REMAINING)
                .bind("revision", revision.hex())
                .bind("manifest", manifestKey)
                .bind("retiring", retiring.toArray(UUID[]::new))
                .map(row -> number(row, "remaining"))
                .one();
    }

    /** @param counted those whose committed members are counted, for manifest puts */
    public Mono<Map<RevisionId, Owner>> owners(
            Sql sql, Collection<RevisionId> revisions, Collection<RevisionId> counted) {
        if (revisions.isEmpty()) {
            return Mono.just(Map.of());
        }
        return sql.sql(OWNERS)
                .bind("ids", hex(revisions))
                .bind("counted", hex(counted))
                .map(MemberRows::owner)
                .all()
                .collectMap(owner -> owner.membership().revisionId());
    }

    private static Owner owner(Readable row) {
        Membership membership = new Membership(
                new RevisionId(get(row, "revision_id", String.class)),
                get(row, "tenant_id", String.class),
                word(row, "availability", Availability.class),
                get(row, "import_token_hash", String.class),
                get(row, "manifest_key", String.class),
                number(row, "expected_payload_count"),
                number(row, "stored_payloads"));
        return new Owner(membership, row.get("operation_id", UUID.class));
    }

    private static String[] hex(Collection<RevisionId> revisions) {
        return revisions.stream().map(RevisionId::hex).toArray(String[]::new);
    }
}
