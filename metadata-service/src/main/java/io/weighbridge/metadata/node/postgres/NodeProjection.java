package io.weighbridge.metadata.node.postgres;

import static io.weighbridge.ledger.store.LedgerTransaction.column;

import io.weighbridge.metadata.node.domain.Node;
import io.weighbridge.metadata.node.domain.NodeEvent;
import io.weighbridge.metadata.node.domain.Segment;
import io.weighbridge.metadata.object.postgres.Sql;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Writes nodes and segments. */
public final class NodeProjection {

    private static final String NODE = """
            INSERT INTO metadata.node (node_id, agent_incarnation, url, labels, host_boot_id, state, subject,
              node_version,
                                       registered_at, last_heartbeat)
            VALUES (:id, :incarnation, :url, :labels::jsonb, :boot, :state, :subject, :version, :registered, :seen)
                ON CONFLICT (node_id) DO UPDATE
               SET agent_incarnation = excluded.agent_incarnation, url = excluded.url, labels = excluded.labels,
                   host_boot_id = excluded.host_boot_id, state = excluded.state, node_version = excluded.node_version,
                   registered_at = excluded.registered_at, last_heartbeat = excluded.last_heartbeat
            """;

    private static final String ADD = """
            INSERT INTO metadata.segment (segment_id, node_id, tier, arena_id, state, segment_epoch, capacity,
              used_bytes)
            VALUES (:id, :node, :tier, :arena, :state, :epoch, :capacity, 0)
            """;

    /** What is used is the copies' affair, unless the bytes are lost. */
    private static final String CHANGE = """
            UPDATE metadata.segment
               SET arena_id = :arena, state = :state, segment_epoch = :epoch, capacity = :capacity, io_failures =
                 :failures
             WHERE segment_id = :id
            """;

    private static final String EMPTY = "UPDATE metadata.segment SET used_bytes = 0 WHERE segment_id = :id";

    private static final String BEATS = """
            UPDATE metadata.node SET last_heartbeat = :now WHERE node_id = ANY(:ids)
            """;

    private static final String STATES = """
            UPDATE metadata.node n SET state = c.state, node_version = c.version
              FROM unnest(:ids::uuid[], :states::text[], :versions::bigint[]) AS c(id, state, version)
             WHERE n.node_id = c.id
            """;

    private final JsonMapper json;

    public NodeProjection(JsonMapper json) {
        this.json = json;
    }

    /** Writes events in their order; the rows are locked. */
    public Mono<Void> write(Sql sql, List<NodeEvent> events) {
        return Flux.fromIterable(events).concatMap(event -> write(sql, event)).then();
    }

    private Mono<Void> write(Sql sql, NodeEvent event) {
        return switch (event) {
            case NodeEvent.NodeChanged(Node node) -> node(sql, node);
            case NodeEvent.SegmentAdded(Segment segment) -> add(sql, segment);
            case NodeEvent.SegmentChanged(Segment segment) -> change(sql, segment);
            case NodeEvent.EpochMoved(Segment segment) ->
                change(sql, segment)
                        .then(sql.sql(EMPTY).bind("id", segment.segmentId()).then());
        };
    }

    private Mono<Void> node(Sql sql, Node node) {
        return sql.sql(NODE)
                .bind("id", node.nodeId())
                .bind("incarnation", node.agentIncarnation())
                .bind("url", node.url())
                .bind("labels", json.writeValueAsString(Map.copyOf(node.labels())))
                .bind("boot", node.hostBootId())
                .bind("state", node.state().name())
                .bind("subject", node.subject())
                .bind("version", node.version())
                .bind("registered", node.registeredAt())
                .bind("seen", node.lastSeen())
                .then();
    }

    private static Mono<Void> add(Sql sql, Segment segment) {
        return sql.sql(ADD)
                .bind("id", segment.segmentId())
                .bind("node", segment.nodeId())
                .bind("tier", segment.tier().name())
                .bind("arena", segment.arenaId())
                .bind("state", segment.state().name())
                .bind("epoch", segment.epoch())
                .bind("capacity", segment.capacity())
                .then();
    }

    private static Mono<Void> change(Sql sql, Segment segment) {
        return sql.sql(CHANGE)
                .bind("id", segment.segmentId())
                .bind("arena", segment.arenaId())
                .bind("state", segment.state().name())
                .bind("epoch", segment.epoch())
                .bind("capacity", segment.capacity())
                .bind("failures", segment.ioFailures())
                .then();
    }

    /** Nothing but the time of the last heartbeat. */
    public Mono<Void> beat(Sql sql, Collection<UUID> nodeIds, Instant now) {
        return sql.sql(BEATS)
                .bind("now", now)
                .bind("ids", nodeIds.toArray(UUID[]::new))
                .then();
    }

    /** Nothing but states and versions. */
    public Mono<Void> states(Sql sql, List<Node> nodes) {
        return nodes.isEmpty()
                ? Mono.empty()
                : sql.sql(STATES)
                        .bind("ids", column(nodes, Node::nodeId, new UUID[0]))
                        .bind("states", column(nodes, node -> node.state().name(), new String[0]))
                        .bind("versions", column(nodes, Node::version, new Long[0]))
                        .then();
    }
}
