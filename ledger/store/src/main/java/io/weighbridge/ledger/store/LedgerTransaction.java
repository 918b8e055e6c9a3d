package io.weighbridge.ledger.store;

import io.r2dbc.spi.Connection;
import io.weighbridge.ledger.identity.RevisionId;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.connection.SingleConnectionFactory;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.r2dbc.core.binding.BindMarkersFactory;
import reactor.core.publisher.Mono;

/**
 * What a command does inside its transaction. It must await nothing but this transaction's own statements while a
 * guard is held (spec 1.6).
 */
public final class LedgerTransaction {

    private static final String APPEND = """
            WITH epoch AS MATERIALIZED (SELECT ledger.epoch() AS value)
            INSERT INTO %s (writer, day, ledger_epoch, xid, kind, entry_version, entity, entity_id, entity_version,
                            tenant_id, revision_id, node_id, subject, at, state)
            SELECT :writer, (now() AT TIME ZONE 'UTC')::date, epoch.value, pg_current_xact_id()::text::bigint,
                   e.kind, 1, e.entity, e.entity_id, e.entity_version, e.tenant_id, e.revision_id, e.node_id,
                   e.subject, :at, e.state::jsonb
              FROM epoch,
                   unnest(:kinds::smallint[], :entities::text[], :ids::text[], :versions::bigint[], :tenants::text[],
                          :revisions::text[], :nodes::uuid[], :subjects::text[], :states::text[])
                       AS e(kind, entity, entity_id, entity_version, tenant_id, revision_id, node_id, subject, state)
            """;

    private final DatabaseClient client;
    private final Writer writer;
    private final Instant now;
    private volatile boolean appended;

    LedgerTransaction(Connection connection, Writer writer, Instant now) {
        this.client = client(connection);
        this.writer = writer;
        this.now = now;
    }

    static DatabaseClient client(Connection connection) {
        return DatabaseClient.builder()
                .connectionFactory(new SingleConnectionFactory(connection, () -> "PostgreSQL", true))
                .bindMarkers(BindMarkersFactory.indexed("$", 1))
                .build();
    }

    /** The database's clock, read once after the guards were taken, in whole milliseconds. */
    public Instant now() {
        return now;
    }

    /** {@link #now()}, or the row's own last time where the clock has stepped back (spec 1.6). */
    public Instant nowNotBefore(Instant updatedAt) {
        return now.isBefore(updatedAt) ? updatedAt : now;
    }

    /** A statement on this transaction's connection, with named parameters. */
    public GenericExecuteSpec sql(String sql) {
        return client.sql(sql);
    }

    /**
     * Takes the guards that are free and leaves the contended ones, for batches.
     *
     * @return the revisions whose guards are held now
     */
    public Mono<Set<RevisionId>> tryGuards(Guards.Mode mode, Collection<RevisionId> revisions) {
        List<Long> keys = Guards.sortedKeys(revisions);
        return client.sql("SELECT k FROM unnest(:keys::bigint[]) k WHERE " + mode.tryLock() + "(k)")
                .bind("keys", keys.toArray(Long[]::new))
                .map(row -> Objects.requireNonNull(row.get("k", Long.class)))
                .all()
                .collect(HashSet<Long>::new, Set::add)
                .map(held -> {
                    Set<RevisionId> guarded = new HashSet<>();
                    for (RevisionId revision : revisions) {
                        if (held.contains(revision.guardKey())) {
                            guarded.add(revision);
                        }
                    }
                    return guarded;
                });
    }

    /** Appends to the oplog in this transaction; entries appear in the feed in this order. */
    public Mono<Void> append(List<OplogEntry> entries) {
        if (entries.isEmpty()) {
            return Mono.empty();
        }
        appended = true;
        return client.sql(APPEND.formatted(writer.oplogTable()))
                .bind("writer", writer.schema())
                .bind("at", now)
                .bind("kinds", column(entries, e -> e.kind().number(), new Short[0]))
                .bind("entities", column(entries, e -> e.kind().entity(), new String[0]))
                .bind("ids", column(entries, OplogEntry::entityId, new String[0]))
                .bind("versions", column(entries, OplogEntry::entityVersion, new Long[0]))
                .bind("tenants", column(entries, OplogEntry::tenantId, new String[0]))
                .bind("revisions", column(entries, LedgerTransaction::revision, new String[0]))
                .bind("nodes", column(entries, OplogEntry::nodeId, new UUID[0]))
                .bind("subjects", column(entries, OplogEntry::subject, new String[0]))
                .bind("states", column(entries, OplogEntry::state, new String[0]))
                .then();
    }

    boolean hasAppended() {
        return appended;
    }

    private static @Nullable String revision(OplogEntry entry) {
        RevisionId revision = entry.revisionId();
        return revision == null ? null : revision.hex();
    }

    /** One column of many rows, as an array parameter. */
    public static <R, T extends @Nullable Object> T[] column(
            Collection<R> rows, Function<R, ? extends @Nullable T> value, T[] type) {
        return rows.stream().map(value).toList().toArray(type);
    }

    /** Appends one entry. */
    public Mono<Void> append(OplogEntry entry) {
        return append(List.of(entry));
    }
}
