package io.weighbridge.metadata.object.postgres;

import static io.weighbridge.metadata.object.postgres.Columns.get;
import static io.weighbridge.metadata.object.postgres.Columns.number;
import static io.weighbridge.metadata.object.postgres.Columns.word;

import io.r2dbc.spi.Readable;
import io.weighbridge.ledger.token.NodeKey;
import io.weighbridge.ledger.vocabulary.NodeState;
import io.weighbridge.ledger.vocabulary.SegmentState;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.metadata.object.domain.Place;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import reactor.core.publisher.Mono;

/** Reads and locks segments with their nodes, and reads the keys that sign write tokens. */
public final class PlaceRows {

    /** Who a node is, as it has registered last. */
    public record Registration(UUID agentIncarnation, String subject) {}

    private static final String PLACES = """
            SELECT s.segment_id, s.node_id, s.tier, s.state, s.segment_epoch, s.capacity, s.used_bytes,
                   n.state AS node_state, n.url, n.labels ->> 'zone' AS zone, n.labels ->> 'rack' AS rack,
                     n.registered_at
              FROM metadata.segment s JOIN metadata.node n ON n.node_id = s.node_id
            """;

    private static final String LOCK_ALLOCATABLE = PLACES + """
             WHERE s.segment_id = ANY(:ids)
                OR (s.state = 'MOUNTED' AND n.state = 'LIVE')
             ORDER BY s.segment_id FOR NO KEY UPDATE OF s
            """;

    private static final String OF_IDS = PLACES + " WHERE s.segment_id = ANY(:ids) ORDER BY s.segment_id ";

    /**
     * How the segments are locked. Allocation changes what is used and excludes itself; a commit only needs the
     * epoch to
     * stand still. Registration, which moves epochs, excludes both with FOR UPDATE. One mode for a whole transaction,
     * in the order of the ids, so that none waits for another in a circle.
     */
    public enum Mode {
        KEEP_EPOCH,
        CHANGE_SPACE,
        ALLOCATE
    }

    public Mono<List<Place>> lock(Sql sql, Collection<UUID> segmentIds, Mode mode) {
        if (segmentIds.isEmpty() && mode != Mode.ALLOCATE) {
            return Mono.just(List.of());
        }
        String text = switch (mode) {
            case KEEP_EPOCH -> OF_IDS + "FOR KEY SHARE OF s";
            case CHANGE_SPACE -> OF_IDS + "FOR NO KEY UPDATE OF s";
            case ALLOCATE -> LOCK_ALLOCATABLE;
        };
        return places(sql, segmentIds, text);
    }

    /** Without a lock; for diagnosis. */
    public Mono<List<Place>> read(Sql sql, Collection<UUID> segmentIds) {
        return places(sql, segmentIds, OF_IDS);
    }

    private static Mono<List<Place>> places(Sql sql, Collection<UUID> segmentIds, String text) {
        return sql.sql(text)
                .bind("ids", segmentIds.toArray(UUID[]::new))
                .map(PlaceRows::place)
                .all()
                .collectList();
    }

    /** The keys that sign today; a node without one can take no write. */
    public Mono<Map<UUID, NodeKey>> keys(Sql sql) {
        return sql.sql("SELECT node_id, version, secret FROM lease.node_key_v1")
                .map(row -> new NodeKey(
                        get(row, "node_id", UUID.class),
                        get(row, "version", Integer.class),
                        get(row, "secret", byte[].class)))
                .all()
                .collectMap(NodeKey::nodeId);
    }

    /** Read after the segments were locked, so that a report of a superseded agent is seen as such. */
    public Mono<Map<UUID, Registration>> registrations(Sql sql, Collection<UUID> nodeIds) {
        if (nodeIds.isEmpty()) {
            return Mono.just(Map.of());
        }
        return sql.sql("SELECT node_id, agent_incarnation, subject FROM metadata.node WHERE node_id = ANY(:ids)")
                .bind("ids", nodeIds.toArray(UUID[]::new))
                .map(row -> Map.entry(
                        get(row, "node_id", UUID.class),
                        new Registration(get(row, "agent_incarnation", UUID.class), get(row, "subject", String.class))))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    private static Place place(Readable row) {
        return new Place(
                get(row, "segment_id", UUID.class),
                get(row, "node_id", UUID.class),
                get(row, "url", String.class),
                word(row, "tier", Tier.class),
                word(row, "state", SegmentState.class),
                word(row, "node_state", NodeState.class),
                number(row, "segment_epoch"),
                number(row, "capacity"),
                number(row, "used_bytes"),
                row.get("zone", String.class),
                row.get("rack", String.class),
                get(row, "registered_at", Instant.class));
    }
}
