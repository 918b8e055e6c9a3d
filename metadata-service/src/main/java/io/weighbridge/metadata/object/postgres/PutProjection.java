package io.weighbridge.metadata.object.postgres;

import static io.weighbridge.ledger.store.LedgerTransaction.column;
import static io.weighbridge.metadata.object.postgres.Columns.arrayText;
import static io.weighbridge.metadata.object.postgres.Columns.get;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.metadata.object.domain.Attempt;
import io.weighbridge.metadata.object.domain.Content;
import io.weighbridge.metadata.object.domain.Put;
import io.weighbridge.metadata.object.domain.PutBook;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Writes what a transaction has made of its objects and their puts; copies are {@link CopyProjection}'s. */
public final class PutProjection {

    private static final String INSERT = """
            INSERT INTO metadata.object (object_id, tenant_id, key, size, type, group_id, revision_id,
              object_version, pin,
                                         pinned_until, created_at, last_access)
            SELECT id, tenant, key, size, type, grp, revision, 0, pin, pinned, :now, :now
              FROM unnest(:ids::text[], :tenants::text[], :keys::text[], :sizes::bigint[], :types::text[],
                :groups::text[],
                          :revisions::text[], :pins::text[], :pinned::timestamptz[])
                       AS n(id, tenant, key, size, type, grp, revision, pin, pinned)
             ORDER BY id
                ON CONFLICT (object_id) DO NOTHING
            RETURNING object_id
            """;

    private static final String UPDATE = """
            UPDATE metadata.object o
               SET size = n.size, type = n.type, group_id = n.grp, revision_id = n.revision,
                   object_version = n.version, digest = n.digest, crc32c = n.crc::bigint[], pin = n.pin,
                   pinned_until = n.pinned, created_at = n.created, committed_at = n.committed, last_access = :now
              FROM unnest(:ids::text[], :sizes::bigint[], :types::text[], :groups::text[], :revisions::text[],
                          :versions::bigint[], :digests::text[], :crcs::text[], :pins::text[], :pinned::timestamptz[],
                          :created::timestamptz[], :committed::timestamptz[])
                       AS n(id, size, type, grp, revision, version, digest, crc, pin, pinned, created, committed)
             WHERE o.object_id = n.id
            """;

    private static final String FORGET_PUTS = """
            DELETE FROM metadata.put WHERE put_id = ANY(:ids)
            """;

    private static final String MARK_PUTS = """
            UPDATE metadata.put p SET state = n.state
              FROM unnest(:ids::uuid[], :states::text[]) AS n(id, state) WHERE p.put_id = n.id
            """;

    private static final String INSERT_PUTS = """
            INSERT INTO metadata.put (put_id, object_id, tenant_id, revision_id, operation_id, subject, token_hash,
              state,
                                      started_at, expires_at)
            SELECT * FROM unnest(:ids::uuid[], :objects::text[], :tenants::text[], :revisions::text[],
              :operations::uuid[],
                                 :subjects::text[], :hashes::text[], :states::text[], :started::timestamptz[],
                                 :expires::timestamptz[])
            """;

    /** A managed object's row stays with its revision until that is being deleted. */
    private static final String DELETE_EMPTY = """
            DELETE FROM metadata.object o
             WHERE o.object_id = ANY(:ids)
               AND NOT EXISTS (SELECT FROM metadata.replica r WHERE r.object_id = o.object_id)
               AND NOT EXISTS (SELECT FROM metadata.put p WHERE p.object_id = o.object_id AND p.state = 'PENDING')
               AND (o.revision_id IS NULL
                    OR EXISTS (SELECT FROM metadata.revision v
                                WHERE v.revision_id = o.revision_id AND v.availability IN ('DELETING', 'DELETED')))
            """;

    private final CopyProjection copies = new CopyProjection();

    /** A put with the object it belongs to. */
    private record Row(Put put, Attempt attempt) {}

    /**
     * Writes all changes.
     *
     * @return the objects whose keys somebody else has created meanwhile; nothing was written of them
     */
    public Mono<Set<String>> write(Sql sql, PutBook book) {
        List<PutBook.Change> changes = book.changes();
        if (changes.isEmpty()) {
            return Mono.just(Set.of());
        }
        return insertObjects(sql, changes, book.now()).flatMap(raced -> {
            List<PutBook.Change> own = changes.stream()
                    .filter(change -> !raced.contains(change.after().objectId()))
                    .toList();
            return updateObjects(sql, own, book.now())
                    .then(Mono.defer(() -> writePuts(sql, own)))
                    .then(Mono.defer(() -> copies.write(sql, own)))
                    .then(Mono.defer(() -> deleteEmpty(sql, own)))
                    .thenReturn(raced);
        });
    }

    private Mono<Set<String>> insertObjects(Sql sql, List<PutBook.Change> changes, Instant now) {
        List<Put> added = changes.stream()
                .filter(change -> change.before().content() == null)
                .map(PutBook.Change::after)
                .toList();
        if (added.isEmpty()) {
            return Mono.just(Set.of());
        }
        Set<String> raced = new HashSet<>(added.stream().map(Put::objectId).toList());
        return sql.sql(INSERT)
                .bind("ids", column(added, Put::objectId, new String[0]))
                .bind("tenants", column(added, Put::tenantId, new String[0]))
                .bind("keys", column(added, Put::key, new String[0]))
                .bind("sizes", column(added, put -> content(put).size(), new Long[0]))
                .bind("types", column(added, put -> content(put).type().name(), new String[0]))
                .bind("groups", column(added, put -> content(put).groupId(), new String[0]))
                .bind("revisions", column(added, put -> hex(content(put).revisionId()), new String[0]))
                .bind("pins", column(added, put -> content(put).pin().name(), new String[0]))
                .bind("pinned", column(added, put -> content(put).pinnedUntil(), new Instant[0]))
                .bind("now", now)
                .map(row -> get(row, "object_id", String.class))
                .all()
                .doOnNext(raced::remove)
                .then(Mono.just(raced));
    }

    private Mono<Void> updateObjects(Sql sql, List<PutBook.Change> changes, Instant now) {
        List<Put> changed = changes.stream()
                .filter(change -> change.before().content() != null
                        && !Objects.equals(
                                change.before().content(), change.after().content()))
                .map(PutBook.Change::after)
                .toList();
        if (changed.isEmpty()) {
            return Mono.empty();
        }
        return sql.sql(UPDATE)
                .bind("ids", column(changed, Put::objectId, new String[0]))
                .bind("sizes", column(changed, put -> content(put).size(), new Long[0]))
                .bind("types", column(changed, put -> content(put).type().name(), new String[0]))
                .bind("groups", column(changed, put -> content(put).groupId(), new String[0]))
                .bind("revisions", column(changed, put -> hex(content(put).revisionId()), new String[0]))
                .bind("versions", column(changed, put -> content(put).objectVersion(), new Long[0]))
                .bind("digests", column(changed, put -> content(put).digest(), new String[0]))
                .bind("crcs", column(changed, put -> arrayText(content(put).crc32c()), new String[0]))
                .bind("pins", column(changed, put -> content(put).pin().name(), new String[0]))
                .bind("pinned", column(changed, put -> content(put).pinnedUntil(), new Instant[0]))
                .bind("created", column(changed, put -> content(put).createdAt(), new Instant[0]))
                .bind("committed", column(changed, put -> content(put).committedAt(), new Instant[0]))
                .bind("now", now)
                .then();
    }

    /** Old puts first: of two puts of a key only one may be pending at any time. */
    private Mono<Void> writePuts(Sql sql, List<PutBook.Change> changes) {
        List<UUID> forgotten = changes.stream()
                .flatMap(change -> change.before().attempts().stream()
                        .map(Attempt::putId)
                        .filter(id -> change.after().attempt(id).isEmpty()))
                .toList();
        List<Row> marked = changes.stream()
                .flatMap(change -> change.after().attempts().stream()
                        .filter(attempt -> change.before()
                                .attempt(attempt.putId())
                                .filter(old -> old.state() != attempt.state())
                                .isPresent())
                        .map(attempt -> new Row(change.after(), attempt)))
                .toList();
        List<Row> added = changes.stream()
                .flatMap(change -> change.after().attempts().stream()
                        .filter(attempt ->
                                change.before().attempt(attempt.putId()).isEmpty())
                        .map(attempt -> new Row(change.after(), attempt)))
                .sorted(Comparator.comparing(row -> row.attempt().putId()))
                .toList();
        return forget(sql, forgotten).then(mark(sql, marked)).then(insert(sql, added));
    }

    private static Mono<Void> forget(Sql sql, List<UUID> puts) {
        return puts.isEmpty()
                ? Mono.empty()
                : sql.sql(FORGET_PUTS).bind("ids", puts.toArray(UUID[]::new)).then();
    }

    private static Mono<Void> mark(Sql sql, List<Row> rows) {
        return rows.isEmpty()
                ? Mono.empty()
                : sql.sql(MARK_PUTS)
                        .bind("ids", column(rows, row -> row.attempt().putId(), new UUID[0]))
                        .bind(
                                "states",
                                column(rows, row -> row.attempt().state().name(), new String[0]))
                        .then();
    }

    private static Mono<Void> insert(Sql sql, List<Row> rows) {
        return rows.isEmpty()
                ? Mono.empty()
                : sql.sql(INSERT_PUTS)
                        .bind("ids", column(rows, row -> row.attempt().putId(), new UUID[0]))
                        .bind("objects", column(rows, row -> row.put().objectId(), new String[0]))
                        .bind("tenants", column(rows, row -> row.put().tenantId(), new String[0]))
                        .bind("revisions", column(rows, row -> hex(row.attempt().revisionId()), new String[0]))
                        .bind("operations", column(rows, row -> row.attempt().operationId(), new UUID[0]))
                        .bind("subjects", column(rows, row -> row.attempt().subject(), new String[0]))
                        .bind("hashes", column(rows, row -> row.attempt().tokenHash(), new String[0]))
                        .bind(
                                "states",
                                column(rows, row -> row.attempt().state().name(), new String[0]))
                        .bind("started", column(rows, row -> row.attempt().startedAt(), new Instant[0]))
                        .bind("expires", column(rows, row -> row.attempt().expiresAt(), new Instant[0]))
                        .then();
    }

    private static Mono<Void> deleteEmpty(Sql sql, List<PutBook.Change> changes) {
        String[] emptied = changes.stream()
                .map(PutBook.Change::after)
                .filter(put -> put.copies().isEmpty() && put.attempts().stream().noneMatch(Attempt::isPending))
                .map(Put::objectId)
                .toArray(String[]::new);
        return emptied.length == 0
                ? Mono.empty()
                : sql.sql(DELETE_EMPTY).bind("ids", emptied).then();
    }

    private static Content content(Put put) {
        return Objects.requireNonNull(put.content(), "only objects with a content change");
    }

    private static @Nullable String hex(@Nullable RevisionId revision) {
        return revision == null ? null : revision.hex();
    }
}
