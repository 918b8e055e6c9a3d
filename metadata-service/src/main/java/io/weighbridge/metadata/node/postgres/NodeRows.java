package io.weighbridge.metadata.node.postgres;

import static io.weighbridge.metadata.object.postgres.Columns.get;
import static io.weighbridge.metadata.object.postgres.Columns.number;
import static io.weighbridge.metadata.object.postgres.Columns.word;

import io.r2dbc.spi.Readable;
import io.weighbridge.ledger.vocabulary.NodeState;
import io.weighbridge.ledger.vocabulary.ReplicaState;
import io.weighbridge.ledger.vocabulary.SegmentState;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.metadata.node.domain.Extent;
import io.weighbridge.metadata.node.domain.Liveness;
import io.weighbridge.metadata.node.domain.Node;
import io.weighbridge.metadata.node.domain.Segment;
import io.weighbridge.metadata.object.postgres.Sql;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Reads nodes, segments, and what the ledger expects on a segment. */
public final class NodeRows {

    /** A copy whose bytes an agent shall free, or whose token it shall close. */
    public record Wish(UUID nodeId, UUID replicaId, boolean close) {}

    private static final TypeReference<Map<String, String>> LABELS = new TypeReference<>() {};

    private static final String NODES = """
            SELECT node_id, agent_incarnation, url, labels::text AS labels, host_boot_id, state, subject, node_version,
                   registered_at, last_heartbeat
              FROM metadata.node
            """;

    private static final String CENSUS = """
            SELECT count(*) FILTER (WHERE state <> 'DEAD') AS alive,
                   count(*) FILTER (WHERE state = 'DEAD' AND last_heartbeat >= :lately) AS dead
              FROM metadata.node
            """;

    private static final String SEGMENTS = """
            SELECT segment_id, node_id, tier, arena_id, state, segment_epoch, capacity, used_bytes, io_failures
              FROM metadata.segment
            """;

    private static final String EXTENTS = """
            SELECT r.replica_id, r.object_id, o.key, r.size, r.state, coalesce(r.stored_crc32c, o.crc32c) AS crc32c
              FROM metadata.replica r
              JOIN metadata.segment s ON s.segment_id = r.segment_id AND s.segment_epoch = r.segment_epoch
              JOIN metadata.object o ON o.object_id = r.object_id
             WHERE r.segment_id = :segment AND r.replica_id > :after
             ORDER BY r.replica_id LIMIT :limit
            """;

    /** Reclaim only what the database's clock allows; nothing of a moved epoch is there any more. */
    private static final String WISHES = """
            SELECT r.node_id, r.replica_id, NOT r.token_closed AS close
              FROM unnest(:nodes::uuid[]) AS n(id)
             CROSS JOIN LATERAL (
                   SELECT w.node_id, w.replica_id, w.token_closed
                     FROM metadata.replica w
                     JOIN metadata.segment s ON s.segment_id = w.segment_id AND s.segment_epoch = w.segment_epoch
                    WHERE w.node_id = n.id AND w.state IN ('FAILED', 'REMOVED')
                      AND (NOT w.token_closed OR w.reclaim_after <= clock_timestamp())
                    LIMIT :limit) r
            """;

    private final JsonMapper json;

    public NodeRows(JsonMapper json) {
        this.json = json;
    }

    /** Locks the nodes in the order of their ids. */
    public Mono<List<Node>> lock(Sql sql, Collection<UUID> nodeIds) {
        return nodes(bound(sql.sql(NODES + " WHERE node_id = ANY(:ids) ORDER BY node_id FOR NO KEY UPDATE"), nodeIds));
    }

    /** All nodes that are not DEAD; locks those that nobody else works on. */
    public Mono<List<Node>> lockSilent(Sql sql, Instant silentSince) {
        return nodes(sql.sql(NODES + """
                         WHERE state <> 'DEAD' AND coalesce(last_heartbeat, registered_at) < :since
                         ORDER BY node_id FOR NO KEY UPDATE SKIP LOCKED
                        """).bind("since", silentSince));
    }

    /** How many nodes there are, and how many have died lately. */
    public Mono<Liveness.Census> census(Sql sql, Instant lately) {
        return sql.sql(CENSUS)
                .bind("lately", lately)
                .map(row -> new Liveness.Census(number(row, "alive"), number(row, "dead")))
                .one();
    }

    public Mono<Node> read(Sql sql, UUID nodeId) {
        return bound(sql.sql(NODES + " WHERE node_id = ANY(:ids)"), List.of(nodeId))
                .map(this::node)
                .one();
    }

    /** In the order of their ids, after one. */
    public Mono<List<Node>> page(Sql sql, UUID after, int limit) {
        return nodes(sql.sql(NODES + " WHERE node_id > :after ORDER BY node_id LIMIT :limit")
                .bind("after", after)
                .bind("limit", limit));
    }

    /** Excludes allocation and commits, since epochs and states may change. */
    public Mono<List<Segment>> lockSegments(Sql sql, UUID nodeId, Collection<UUID> others) {
        return segments(sql.sql(SEGMENTS + """
                         WHERE node_id = :node OR segment_id = ANY(:ids) ORDER BY segment_id FOR UPDATE
                        """).bind("node", nodeId).bind("ids", others.toArray(UUID[]::new)));
    }

    public Mono<List<Segment>> segments(Sql sql, Collection<UUID> nodeIds) {
        return segments(bound(sql.sql(SEGMENTS + " WHERE node_id = ANY(:ids) ORDER BY segment_id"), nodeIds));
    }

    public Mono<List<Extent>> extents(Sql sql, UUID segmentId, UUID after, int limit) {
        return sql.sql(EXTENTS)
                .bind("segment", segmentId)
                .bind("after", after)
                .bind("limit", limit)
                .map(NodeRows::extent)
                .all()
                .collectList();
    }

    public Flux<Wish> wishes(Sql sql, Collection<UUID> nodeIds, int limit) {
        return sql.sql(WISHES)
                .bind("nodes", nodeIds.toArray(UUID[]::new))
                .bind("limit", limit)
                .map(row -> new Wish(
                        get(row, "node_id", UUID.class),
                        get(row, "replica_id", UUID.class),
                        get(row, "close", Boolean.class)))
                .all();
    }

    /** The newest key version of each node; nodes without a key are absent. */
    public Mono<Map<UUID, Integer>> keyVersions(Sql sql, Collection<UUID> nodeIds) {
        return bound(sql.sql("SELECT node_id, version FROM lease.node_key_v1 WHERE node_id = ANY(:ids)"), nodeIds)
                .map(row -> Map.entry(get(row, "node_id", UUID.class), get(row, "version", Integer.class)))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    private Mono<List<Node>> nodes(GenericExecuteSpec statement) {
        return statement.map(this::node).all().collectList();
    }

    private static Mono<List<Segment>> segments(GenericExecuteSpec statement) {
        return statement.map(NodeRows::segment).all().collectList();
    }

    private static GenericExecuteSpec bound(GenericExecuteSpec statement, Collection<UUID> ids) {
        return statement.bind("ids", ids.toArray(UUID[]::new));
    }

    private Node node(Readable row) {
        return new Node(
                get(row, "node_id", UUID.class),
                get(row, "agent_incarnation", UUID.class),
                get(row, "url", String.class),
                json.readValue(get(row, "labels", String.class), LABELS),
                get(row, "host_boot_id", String.class),
                word(row, "state", NodeState.class),
                get(row, "subject", String.class),
                number(row, "node_version"),
                get(row, "registered_at", Instant.class),
                row.get("last_heartbeat", Instant.class));
    }

    private static Segment segment(Readable row) {
        return new Segment(
                get(row, "segment_id", UUID.class),
                get(row, "node_id", UUID.class),
                word(row, "tier", Tier.class),
                get(row, "arena_id", UUID.class),
                word(row, "state", SegmentState.class),
                number(row, "segment_epoch"),
                number(row, "capacity"),
                number(row, "used_bytes"),
                number(row, "io_failures"));
    }

    private static Extent extent(Readable row) {
        Long[] crc32c = row.get("crc32c", Long[].class);
        return new Extent(
                get(row, "replica_id", UUID.class),
                get(row, "object_id", String.class),
                get(row, "key", String.class),
                number(row, "size"),
                word(row, "state", ReplicaState.class),
                crc32c == null ? List.of() : Arrays.asList(crc32c));
    }
}
