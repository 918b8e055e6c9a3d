package io.weighbridge.metadata.object.postgres;

import static io.weighbridge.metadata.object.postgres.Columns.flag;
import static io.weighbridge.metadata.object.postgres.Columns.get;
import static io.weighbridge.metadata.object.postgres.Columns.number;
import static io.weighbridge.metadata.object.postgres.Columns.texts;
import static io.weighbridge.metadata.object.postgres.Columns.word;

import io.r2dbc.spi.Readable;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.metadata.object.domain.Found;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Reads what exists, without a lock and without granting anything (spec 2.3). */
public final class ObjectReads {

    private static final String FOUND = """
            SELECT o.object_id, o.object_version, o.size, o.digest, v.replica_id, v.node_id, v.url, v.segment_id,
              v.tier,
                   EXISTS (SELECT FROM metadata.replica r
                            WHERE r.object_id = o.object_id AND r.state = 'COMPLETE') AS committed
              FROM metadata.object o
              LEFT JOIN metadata.readable_replica_v1 v ON v.object_id = o.object_id
             WHERE o.object_id = ANY(:ids) AND o.object_version > 0
             ORDER BY o.object_id, v.replica_id
            """;

    private static final String GROUPS = """
            SELECT o.object_id, m.object_id AS member
              FROM metadata.object o
              JOIN metadata.object m ON m.tenant_id = o.tenant_id AND m.group_id = o.group_id AND m.revision_id IS NULL
             WHERE o.object_id = ANY(:ids) AND o.revision_id IS NULL
            """;

    private static final String GROUP_SIZE = """
            SELECT count(*) AS members,
                   count(*) FILTER (WHERE EXISTS (SELECT FROM metadata.readable_replica_v1 v
                                                   WHERE v.object_id = m.object_id)) AS readable
              FROM metadata.object m WHERE m.tenant_id = :tenant AND m.group_id = :group
            """;

    private static final String OWNER = """
            SELECT availability, residency, operation, metadata_generation FROM metadata.revision WHERE revision_id
              = :id
            """;

    /** How many members a group has, and how many of them are readable. */
    public record GroupSize(long members, long readable) {}

    /** The revision that manages an object. */
    public record Owner(String availability, String residency, String operation, long generation) {}

    /** Committed objects with their readable copies; others are absent. */
    public Mono<Map<String, Found>> found(Sql sql, Collection<String> objectIds) {
        return sql.sql(FOUND)
                .bind("ids", texts(objectIds))
                .map(row -> Map.entry(get(row, "object_id", String.class), found(row)))
                .all()
                .collect(HashMap::new, (map, entry) -> map.merge(entry.getKey(), entry.getValue(), Found::plus));
    }

    private static Found found(Readable row) {
        return new Found(
                number(row, "object_version"),
                number(row, "size"),
                get(row, "digest", String.class),
                flag(row, "committed"),
                copy(row) instanceof Found.At copy ? List.of(copy) : List.of());
    }

    private static Found.@Nullable At copy(Readable row) {
        UUID replica = row.get("replica_id", UUID.class);
        return replica == null
                ? null
                : new Found.At(
                        replica,
                        get(row, "node_id", UUID.class),
                        get(row, "url", String.class),
                        get(row, "segment_id", UUID.class),
                        word(row, "tier", Tier.class));
    }

    /** The members of the unmanaged groups of some objects, by object; objects without a group are absent. */
    public Mono<Map<String, List<String>>> groups(Sql sql, Collection<String> objectIds) {
        return sql.sql(GROUPS)
                .bind("ids", texts(objectIds))
                .map(row -> Map.entry(get(row, "object_id", String.class), get(row, "member", String.class)))
                .all()
                .collect(
                        HashMap::new,
                        (map, entry) -> map.computeIfAbsent(entry.getKey(), id -> new ArrayList<>())
                                .add(entry.getValue()));
    }

    public Mono<GroupSize> groupSize(Sql sql, String tenantId, String groupId) {
        return sql.sql(GROUP_SIZE)
                .bind("tenant", tenantId)
                .bind("group", groupId)
                .map(row -> new GroupSize(number(row, "members"), number(row, "readable")))
                .one();
    }

    public Mono<Owner> owner(Sql sql, String revisionId) {
        return sql.sql(OWNER)
                .bind("id", revisionId)
                .map(row -> new Owner(
                        get(row, "availability", String.class),
                        get(row, "residency", String.class),
                        get(row, "operation", String.class),
                        number(row, "metadata_generation")))
                .one();
    }
}
