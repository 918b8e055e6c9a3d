package io.weighbridge.metadata.object.postgres;

import java.time.Duration;
import reactor.core.publisher.Mono;

/**
 * Sets from when retired copies may be freed (spec 2.3). The statement's snapshot sees only committed retirements, and
 * the clock is read after the snapshot: every read lease on the older view was issued before.
 */
public final class ReclaimProjection {

    /** Skips what others work on, so that it never waits for them and they never for each other through it. */
    private static final String SCHEDULE = """
            WITH due AS MATERIALIZED (
                SELECT replica_id FROM metadata.replica
                 WHERE state IN ('FAILED', 'REMOVED') AND token_closed AND reclaim_after IS NULL
                 ORDER BY replica_id LIMIT :limit FOR UPDATE SKIP LOCKED)
            UPDATE metadata.replica r
               SET reclaim_after = clock_timestamp() + make_interval(secs => :grace)
              FROM due WHERE r.replica_id = due.replica_id
            """;

    /** @return how many copies were given a time */
    public Mono<Long> schedule(Sql sql, Duration grace, int limit) {
        return sql.sql(SCHEDULE)
                .bind("grace", grace.toMillis() / 1000.0)
                .bind("limit", limit)
                .fetch()
                .rowsUpdated();
    }
}
