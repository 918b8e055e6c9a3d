package io.weighbridge.metadata.object.postgres;

import static io.weighbridge.metadata.object.postgres.Columns.get;
import static io.weighbridge.metadata.object.postgres.Columns.number;

import java.util.List;
import java.util.UUID;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Finds what time has made due. What it finds is a hint: the put machine decides again under the locks. */
public final class SweepRows {

    private static final String EXPIRED = """
            SELECT object_id FROM metadata.put
             WHERE state = 'PENDING' AND expires_at <= clock_timestamp() ORDER BY expires_at LIMIT :limit
            """;

    private static final String MOVED = """
            SELECT DISTINCT r.object_id
              FROM metadata.segment s
              JOIN metadata.replica r ON r.segment_id = s.segment_id AND r.segment_epoch < s.segment_epoch
             WHERE s.segment_epoch > 1 AND s.segment_id = :segment
               AND NOT EXISTS (SELECT FROM metadata.put p WHERE p.put_id = r.put_id AND p.state = 'PENDING')
             LIMIT :limit
            """;

    private static final String MOVABLE = "SELECT segment_id FROM metadata.segment WHERE segment_epoch > 1";

    private static final String FULL = """
            SELECT s.segment_id,
                   s.used_bytes - (s.capacity * :low)::bigint
                     - coalesce((SELECT sum(r.size) FROM metadata.replica r
                                  WHERE r.segment_id = s.segment_id AND r.segment_epoch = s.segment_epoch
                                    AND r.state IN ('FAILED', 'REMOVED')), 0)::bigint AS excess
              FROM metadata.segment s
             WHERE s.capacity > 0 AND s.used_bytes > s.capacity * :high AND s.state IN ('MOUNTED', 'DRAINING')
            """;

    private static final String LEAST_USED = """
            SELECT o.object_id, r.size
              FROM metadata.replica r JOIN metadata.object o USING (object_id)
             WHERE r.segment_id = :segment AND r.state = 'COMPLETE' AND o.revision_id IS NULL
               AND (o.pin = 'NONE' OR (o.pin = 'SOFT' AND o.pinned_until <= now()))
             ORDER BY o.last_access LIMIT :limit
            """;

    private static final String NEAREST = """
            SELECT segment_id, excess
              FROM (SELECT s.segment_id,
                           s.used_bytes + :bytes - s.capacity
                             - coalesce((SELECT sum(r.size) FROM metadata.replica r
                                          WHERE r.segment_id = s.segment_id AND r.segment_epoch = s.segment_epoch
                                            AND r.state IN ('FAILED', 'REMOVED')), 0)::bigint AS excess
                      FROM metadata.segment s JOIN metadata.node n ON n.node_id = s.node_id
                     WHERE s.capacity >= :bytes AND s.state = 'MOUNTED' AND n.state = 'LIVE'
                       AND s.tier IN ('MEMORY', 'LOCAL_DISK')) AS near
             ORDER BY excess LIMIT 1
            """;

    /** A segment with too little room, and how many bytes of readable copies have to go. */
    public record Full(UUID segmentId, long excess) {}

    /** An object that may make room. */
    public record Candidate(String objectId, long size) {}

    /** Objects with a pending put whose time is over. */
    public Mono<List<String>> expired(Sql sql, int limit) {
        return sql.sql(EXPIRED)
                .bind("limit", limit)
                .map(row -> get(row, "object_id", String.class))
                .all()
                .distinct()
                .collectList();
    }

    /** Objects with copies of a moved epoch on a segment. */
    public Mono<List<String>> moved(Sql sql, UUID segmentId, int limit) {
        return sql.sql(MOVED)
                .bind("segment", segmentId)
                .bind("limit", limit)
                .map(row -> get(row, "object_id", String.class))
                .all()
                .collectList();
    }

    /** Segments whose epoch has ever moved. */
    public Flux<UUID> movable(Sql sql) {
        return sql.sql(MOVABLE).map(row -> get(row, "segment_id", UUID.class)).all();
    }

    public Mono<List<Full>> full(Sql sql, double high, double low) {
        return sql.sql(FULL)
                .bind("high", high)
                .bind("low", low)
                .map(row -> new Full(get(row, "segment_id", UUID.class), number(row, "excess")))
                .all()
                .filter(full -> full.excess() > 0)
                .collectList();
    }

    /** The segment where the fewest bytes have to go for a copy of this size; empty when there is room already. */
    public Mono<List<Full>> nearest(Sql sql, long bytes) {
        return sql.sql(NEAREST)
                .bind("bytes", bytes)
                .map(row -> new Full(get(row, "segment_id", UUID.class), number(row, "excess")))
                .all()
                .filter(full -> full.excess() > 0)
                .collectList();
    }

    /** Evictable objects of a segment, those first that were not used for the longest time. */
    public Mono<List<Candidate>> leastUsed(Sql sql, UUID segmentId, int limit) {
        return sql.sql(LEAST_USED)
                .bind("segment", segmentId)
                .bind("limit", limit)
                .map(row -> new Candidate(get(row, "object_id", String.class), number(row, "size")))
                .all()
                .collectList();
    }
}
