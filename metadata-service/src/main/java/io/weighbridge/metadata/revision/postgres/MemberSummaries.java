package io.weighbridge.metadata.revision.postgres;

import static io.weighbridge.metadata.revision.postgres.Columns.number;
import static io.weighbridge.metadata.revision.postgres.Columns.text;
import static io.weighbridge.metadata.revision.postgres.Columns.textOrNull;
import static io.weighbridge.metadata.revision.postgres.Columns.wordOrNull;

import io.r2dbc.spi.Readable;
import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.metadata.revision.domain.Members;
import io.weighbridge.metadata.revision.domain.Placement;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import java.util.UUID;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import reactor.core.publisher.Mono;

/** Reads what decisions need to know of all members in one statement, however many there are. */
final class MemberSummaries {

    /**
     * The members come from one index-only scan; keys are sorted by their bytes (the column's collation is "C") and
     * length-prefixed like {@link CanonicalKeys#payloadKeysSha256}. A draining segment gives its copies away: they are
     * readable and do not count towards the placement.
     */
    static final String SUMMARY = """
            WITH member AS MATERIALIZED (
                SELECT object_id, key, type, size FROM metadata.object WHERE revision_id = :id
            ), wanted AS MATERIALIZED (
                SELECT node_id FROM metadata.node
                 WHERE (CAST(:nodes AS uuid[]) IS NULL OR node_id = ANY(CAST(:nodes AS uuid[])))
                   AND (CAST(:labels AS jsonb) IS NULL OR labels @> CAST(:labels AS jsonb))
            ), copies AS MATERIALIZED (
                SELECT v.object_id,
                       count(*) FILTER (WHERE v.tier = 'MEMORY') AS hot,
                       count(*) FILTER (WHERE v.tier <> 'MEMORY') AS cold,
                       count(DISTINCT w.node_id) FILTER (WHERE v.tier = 'MEMORY') AS hot_placed,
                       count(DISTINCT w.node_id) FILTER (WHERE v.tier <> 'MEMORY') AS cold_placed,
                       count(*) FILTER (WHERE w.node_id IS NULL) AS outside
                  FROM metadata.readable_replica_v1 v
                  JOIN metadata.segment s ON s.segment_id = v.segment_id
                  LEFT JOIN wanted w ON w.node_id = v.node_id AND s.state <> 'DRAINING'
                 WHERE v.revision_id = :id
                 GROUP BY v.object_id
            ), judged AS (
                SELECT m.key, m.type, m.size, m.key = :manifest AS is_manifest,
                       c.object_id IS NOT NULL AS readable,
                       coalesce(c.hot, 0) > 0 AS hot,
                       coalesce(c.hot, 0) = 0 AND coalesce(c.cold, 0) > 0 AS cold,
                       c.hot_placed >= :memory AND c.cold_placed >= :cold_wanted AS placed,
                       c.hot > :memory OR c.cold > :cold_wanted OR c.outside > 0 AS surplus
                  FROM member m LEFT JOIN copies c ON c.object_id = m.object_id
            )
            SELECT count(*) AS members,
                   count(*) FILTER (WHERE readable) AS readable,
                   count(*) FILTER (WHERE NOT is_manifest AND type <> 'WEIGHT') AS not_weight,
                   coalesce(sum(size) FILTER (WHERE NOT is_manifest), 0)::bigint AS payload_bytes,
                   min(type) FILTER (WHERE is_manifest) AS manifest_type,
                   count(*) FILTER (WHERE hot) AS hot, max(key) FILTER (WHERE hot) AS hot_key,
                   count(*) FILTER (WHERE cold) AS cold, max(key) FILTER (WHERE cold) AS cold_key,
                   count(*) FILTER (WHERE placed) AS placed, max(key) FILTER (WHERE placed) AS placed_key,
                   count(*) FILTER (WHERE surplus) AS surplus,
                   (SELECT encode(sha256(convert_to(coalesce(string_agg(
                               octet_length(key)::text || ':' || key || E'\\n', '' ORDER BY key), ''), 'UTF8')), 'hex')
                      FROM member WHERE key <> :manifest) AS payload_keys_sha256,
                   (SELECT digest FROM metadata.object
                     WHERE object_id = :manifest_id AND revision_id = :id) AS manifest_sha256
              FROM judged
            """;

    private static final String UNREMOVED = """
            SELECT count(*) AS unremoved
              FROM metadata.object o JOIN metadata.replica c ON c.object_id = o.object_id
             WHERE o.revision_id = :id AND c.state NOT IN ('FAILED', 'REMOVED')
            """;

    private MemberSummaries() {}

    static Mono<Members> read(LedgerTransaction tx, Registered revision) {
        return bind(tx.sql(SUMMARY), revision).map(MemberSummaries::members).one();
    }

    /** Only what the end of a delete looks at. */
    static Mono<Members> readLeft(LedgerTransaction tx, Registered revision) {
        return tx.sql(UNREMOVED)
                .bind("id", revision.id().hex())
                .map(row -> Members.left(number(row, "unremoved")))
                .one();
    }

    static GenericExecuteSpec bind(GenericExecuteSpec statement, Registered revision) {
        Placement placement = revision.placement();
        String manifestKey = revision.identity().manifestKey();
        GenericExecuteSpec bound = statement
                .bind("id", revision.id().hex())
                .bind("manifest", manifestKey)
                .bind("manifest_id", CanonicalKeys.objectId(revision.identity().tenantId(), manifestKey))
                .bind("memory", placement.memoryWanted(revision.lastTarget()))
                .bind("cold_wanted", placement.coldWanted(revision.lastTarget()));
        bound = Bindings.orNull(bound, "nodes", Bindings.array(placement.nodes()), UUID[].class);
        return Bindings.orNull(bound, "labels", Columns.json(placement.nodeLabels()), String.class);
    }

    private static Members members(Readable row) {
        return new Members(
                number(row, "members"),
                number(row, "readable"),
                number(row, "not_weight"),
                number(row, "payload_bytes"),
                text(row, "payload_keys_sha256"),
                wordOrNull(row, "manifest_type", ObjectType.class),
                textOrNull(row, "manifest_sha256"),
                new Members.Progress(number(row, "hot"), textOrNull(row, "hot_key")),
                new Members.Progress(number(row, "cold"), textOrNull(row, "cold_key")),
                new Members.Progress(number(row, "placed"), textOrNull(row, "placed_key")),
                number(row, "surplus"),
                0);
    }
}
