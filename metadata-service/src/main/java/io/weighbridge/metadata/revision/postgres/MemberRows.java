package io.weighbridge.metadata.revision.postgres;

import static io.weighbridge.metadata.revision.postgres.Columns.id;
import static io.weighbridge.metadata.revision.postgres.Columns.idOrNull;
import static io.weighbridge.metadata.revision.postgres.Columns.number;
import static io.weighbridge.metadata.revision.postgres.Columns.text;
import static io.weighbridge.metadata.revision.postgres.Columns.textOrNull;
import static io.weighbridge.metadata.revision.postgres.Columns.truth;
import static io.weighbridge.metadata.revision.postgres.Columns.word;

import io.r2dbc.spi.Readable;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.ReplicaState;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.wire.MemberView;
import io.weighbridge.wire.ReplicaView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/** Members with their copies, for pages and for a reconciler's whole view. */
final class MemberRows {

    static final String PAGE = """
            WITH member AS MATERIALIZED (
                SELECT o.object_id, o.key, o.type, o.size, o.object_version, o.digest
                  FROM metadata.object o
                 WHERE o.revision_id = :id AND o.key > :after
                   AND (CAST(:tenant AS text) IS NULL OR o.tenant_id = :tenant)
                 ORDER BY o.key LIMIT :limit
            )
            SELECT m.object_id, m.key, m.type, m.size, m.object_version, m.digest, c.replica_id, c.node_id,
                   c.segment_id, c.tier, c.state, n.url,
                   c.state = 'COMPLETE' AND m.object_version > 0 AND c.segment_epoch = s.segment_epoch
                   AND s.state IN ('MOUNTED', 'DRAINING') AND n.state IN ('LIVE', 'SUSPECT', 'JOINING') AS readable
              FROM member m
              LEFT JOIN metadata.replica c ON c.object_id = m.object_id AND c.state NOT IN ('FAILED', 'REMOVED')
              LEFT JOIN metadata.segment s ON s.segment_id = c.segment_id
              LEFT JOIN metadata.node n ON n.node_id = s.node_id
             ORDER BY m.key, c.replica_id
            """;

    private MemberRows() {}

    /** @param limit members, not copies */
    static Mono<List<MemberView>> page(
            DatabaseClient client, RevisionId revision, @Nullable String tenantId, String afterKey, int limit) {
        return Bindings.orNull(
                        client.sql(PAGE)
                                .bind("id", revision.hex())
                                .bind("after", afterKey)
                                .bind("limit", limit),
                        "tenant",
                        tenantId,
                        String.class)
                .map(MemberRows::copy)
                .all()
                .collect(LinkedHashMap<String, List<Copy>>::new, MemberRows::add)
                .map(members ->
                        members.values().stream().map(MemberRows::member).toList());
    }

    /** One row: a member with one of its copies, or with none. */
    private record Copy(MemberView member, @Nullable ReplicaView replica) {}

    private static void add(Map<String, List<Copy>> members, Copy copy) {
        members.computeIfAbsent(copy.member().key(), key -> new ArrayList<>()).add(copy);
    }

    private static MemberView member(List<Copy> copies) {
        MemberView member = copies.getFirst().member();
        List<ReplicaView> replicas = new ArrayList<>();
        for (Copy copy : copies) {
            ReplicaView replica = copy.replica();
            if (replica != null) {
                replicas.add(replica);
            }
        }
        return new MemberView(
                member.key(), member.type(), member.size(), member.objectVersion(), member.digest(), replicas);
    }

    private static Copy copy(Readable row) {
        MemberView member = new MemberView(
                text(row, "key"),
                word(row, "type", ObjectType.class),
                number(row, "size"),
                number(row, "object_version"),
                textOrNull(row, "digest"),
                List.of());
        ReplicaView replica = idOrNull(row, "replica_id") == null
                ? null
                : new ReplicaView(
                        id(row, "replica_id"),
                        id(row, "node_id"),
                        textOrNull(row, "url"),
                        id(row, "segment_id"),
                        word(row, "tier", Tier.class),
                        word(row, "state", ReplicaState.class),
                        truth(row, "readable"),
                        null);
        return new Copy(member, replica);
    }
}
