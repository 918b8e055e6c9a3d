package io.weighbridge.metadata.object.postgres;

import static io.weighbridge.ledger.store.LedgerTransaction.column;
import static io.weighbridge.metadata.object.postgres.Columns.arrayText;

import io.weighbridge.metadata.object.domain.Copy;
import io.weighbridge.metadata.object.domain.Put;
import io.weighbridge.metadata.object.domain.PutBook;
import io.weighbridge.metadata.object.domain.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Writes copies and keeps each segment's used bytes equal to the sum of its copies' sizes. */
final class CopyProjection {

    private static final String INSERT = """
            INSERT INTO metadata.replica (replica_id, object_id, put_id, operation_id, node_id, segment_id,
              segment_epoch,
                                          tier, size, state, created_at)
            SELECT * FROM unnest(:ids::uuid[], :objects::text[], :puts::uuid[], :operations::uuid[], :nodes::uuid[],
                                 :segments::uuid[], :epochs::bigint[], :tiers::text[], :sizes::bigint[],
                                   :states::text[],
                                 :created::timestamptz[])
            """;

    private static final String UPDATE = """
            UPDATE metadata.replica r
               SET state = n.state, opened_at = n.opened, stored_at = n.stored, stored_digest = n.digest,
                   stored_size = n.size, stored_crc32c = n.crc::bigint[], retired_at = n.retired,
                   reclaim_after = n.reclaim, token_closed = n.closed
              FROM unnest(:ids::uuid[], :states::text[], :opened::timestamptz[], :stored::timestamptz[],
                :digests::text[],
                          :sizes::bigint[], :crcs::text[], :retired::timestamptz[], :reclaims::timestamptz[],
                          :closed::boolean[])
                       AS n(id, state, opened, stored, digest, size, crc, retired, reclaim, closed)
             WHERE r.replica_id = n.id
            """;

    private static final String DELETE = "DELETE FROM metadata.replica WHERE replica_id = ANY(:ids)";

    private static final String USED = """
            UPDATE metadata.segment s SET used_bytes = s.used_bytes + n.delta
              FROM unnest(:ids::uuid[], :deltas::bigint[]) AS n(id, delta) WHERE s.segment_id = n.id
            """;

    /** A copy with the object it belongs to. */
    private record Row(Put put, Copy copy) {}

    Mono<Void> write(Sql sql, List<PutBook.Change> changes) {
        List<Row> added = new ArrayList<>();
        List<Row> changed = new ArrayList<>();
        List<Row> freed = new ArrayList<>();
        for (PutBook.Change change : changes) {
            for (Copy copy : change.after().copies()) {
                Optional<Copy> before = change.before().copy(copy.replicaId());
                if (before.isEmpty()) {
                    added.add(new Row(change.after(), copy));
                } else if (!before.get().equals(copy)) {
                    changed.add(new Row(change.after(), copy));
                }
            }
            for (Copy copy : change.before().copies()) {
                if (change.after().copy(copy.replicaId()).isEmpty()) {
                    freed.add(new Row(change.after(), copy));
                }
            }
        }
        return insert(sql, added)
                .then(update(sql, changed))
                .then(delete(sql, freed))
                .then(account(sql, added, freed));
    }

    private static Mono<Void> insert(Sql sql, List<Row> rows) {
        if (rows.isEmpty()) {
            return Mono.empty();
        }
        return sql.sql(INSERT)
                .bind("ids", of(rows, Copy::replicaId, new UUID[0]))
                .bind("objects", column(rows, row -> row.put().objectId(), new String[0]))
                .bind("puts", of(rows, Copy::putId, new UUID[0]))
                .bind("operations", of(rows, Copy::operationId, new UUID[0]))
                .bind("nodes", of(rows, Copy::nodeId, new UUID[0]))
                .bind("segments", of(rows, Copy::segmentId, new UUID[0]))
                .bind("epochs", of(rows, Copy::segmentEpoch, new Long[0]))
                .bind("tiers", of(rows, copy -> copy.tier().name(), new String[0]))
                .bind("sizes", of(rows, Copy::size, new Long[0]))
                .bind("states", of(rows, copy -> copy.state().name(), new String[0]))
                .bind("created", of(rows, Copy::createdAt, new Instant[0]))
                .then();
    }

    private static Mono<Void> update(Sql sql, List<Row> rows) {
        if (rows.isEmpty()) {
            return Mono.empty();
        }
        return sql.sql(UPDATE)
                .bind("ids", of(rows, Copy::replicaId, new UUID[0]))
                .bind("states", of(rows, copy -> copy.state().name(), new String[0]))
                .bind("opened", of(rows, Copy::openedAt, new Instant[0]))
                .bind(
                        "stored",
                        of(
                                rows,
                                copy -> copy.stored() == null
                                        ? null
                                        : copy.stored().at(),
                                new Instant[0]))
                .bind(
                        "digests",
                        of(
                                rows,
                                copy -> copy.stored() == null
                                        ? null
                                        : copy.stored().digest(),
                                new String[0]))
                .bind(
                        "sizes",
                        of(
                                rows,
                                copy -> copy.stored() == null
                                        ? null
                                        : copy.stored().size(),
                                new Long[0]))
                .bind(
                        "crcs",
                        of(
                                rows,
                                copy -> copy.stored() == null
                                        ? null
                                        : arrayText(copy.stored().crc32c()),
                                new String[0]))
                .bind("retired", of(rows, Copy::retiredAt, new Instant[0]))
                .bind("reclaims", of(rows, Copy::reclaimAfter, new Instant[0]))
                .bind("closed", of(rows, Copy::tokenClosed, new Boolean[0]))
                .then();
    }

    private static Mono<Void> delete(Sql sql, List<Row> rows) {
        return rows.isEmpty()
                ? Mono.empty()
                : sql.sql(DELETE)
                        .bind("ids", of(rows, Copy::replicaId, new UUID[0]))
                        .then();
    }

    /** A moved epoch has emptied the segment already. */
    private static Mono<Void> account(Sql sql, List<Row> added, List<Row> freed) {
        Map<UUID, Long> deltas = new TreeMap<>();
        added.forEach(row -> deltas.merge(row.copy().segmentId(), row.copy().size(), Long::sum));
        freed.stream()
                .map(Row::copy)
                .filter(copy -> copy.standing() != Standing.MOVED)
                .forEach(copy -> deltas.merge(copy.segmentId(), -copy.size(), Long::sum));
        deltas.values().removeIf(delta -> delta == 0);
        return deltas.isEmpty()
                ? Mono.empty()
                : sql.sql(USED)
                        .bind("ids", deltas.keySet().toArray(UUID[]::new))
                        .bind("deltas", deltas.values().toArray(Long[]::new))
                        .then();
    }

    private static <T extends @Nullable Object> T[] of(
            List<Row> rows, Function<Copy, ? extends @Nullable T> value, T[] type) {
        return column(rows, row -> value.apply(row.copy()), type);
    }
}
