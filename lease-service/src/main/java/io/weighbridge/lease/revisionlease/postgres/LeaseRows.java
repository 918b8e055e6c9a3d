package io.weighbridge.lease.revisionlease.postgres;

import io.r2dbc.spi.Readable;
import io.weighbridge.lease.revisionlease.domain.LeaseState;
import io.weighbridge.lease.revisionlease.domain.LeaseState.Lease;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.OperationKind;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads lease rows and locks them, always in the order of their ids: an update that joins its parameters would lock in
 * plan order, and two batches could deadlock.
 */
public final class LeaseRows {

    private static final String COLUMNS = """
            l.lease_id, l.revision_id, l.tenant_id, l.holder, l.token_hash, l.subject, l.fenced_metadata_generation,
            l.lease_version, l.granted_at, l.expires_at""";

    static final String OF_HOLDERS = """
            SELECT %s
              FROM unnest(:revisions::text[], :holders::text[], :tenants::text[]) AS w(revision_id, holder, tenant_id)
              JOIN lease.revision_lease l ON l.revision_id = w.revision_id AND l.holder = w.holder
               AND (w.tenant_id IS NULL OR l.tenant_id = w.tenant_id)
             ORDER BY l.lease_id
               FOR UPDATE OF l
            """.formatted(COLUMNS);

    // Returning tells foreign from unknown (spec 1.5), so rows are looked up by id, and the decider compares tenants.
    static final String BY_ID = """
            SELECT %s
              FROM lease.revision_lease l
             WHERE l.lease_id = ANY(:leases::uuid[])
             ORDER BY l.lease_id
               FOR UPDATE OF l
            """.formatted(COLUMNS);

    static final String WITH_REVISIONS = """
            SELECT %s, r.revision_id AS known, r.metadata_generation, r.availability, r.operation, r.drain_deadline,
                   greatest(date_trunc('milliseconds', clock_timestamp()), r.updated_at) AS now
              FROM lease.revision_lease l
              LEFT JOIN metadata.revision_v1 r ON r.revision_id = l.revision_id
             WHERE l.lease_id = ANY(:leases::uuid[])
             ORDER BY l.lease_id
               FOR UPDATE OF l
            """.formatted(COLUMNS);

    // A lease's revision never changes, so it may be read before its guard. The key is RevisionId.guardKey().
    static final String TRY_GUARDS = """
            SELECT l.lease_id,
                   pg_try_advisory_xact_lock_shared(('x' || left(l.revision_id, 16))::bit(64)::bigint) AS held
              FROM lease.revision_lease l
             WHERE l.lease_id = ANY(:leases::uuid[])
            """;

    // Skips what somebody is at work on, so that it never waits.
    static final String LONG_EXPIRED = """
            SELECT %s
              FROM lease.revision_lease l
             WHERE l.expires_at < clock_timestamp() - interval '24 hours'
             ORDER BY l.expires_at
             LIMIT :most
               FOR UPDATE SKIP LOCKED
            """.formatted(COLUMNS);

    static final String LIVE = """
            SELECT r.revision_id AS known, l.*
              FROM metadata.revision_v1 r
              LEFT JOIN LATERAL (
                    SELECT %s
                      FROM lease.revision_lease l
                     WHERE l.revision_id = r.revision_id AND l.holder > :after
                       AND l.expires_at > date_trunc('milliseconds', clock_timestamp())
                     ORDER BY l.holder
                     LIMIT :most) l ON true
             WHERE r.revision_id = :revision AND (:tenant::text IS NULL OR r.tenant_id = :tenant::text)
             ORDER BY l.holder
            """.formatted(COLUMNS);

    /** A lease row and, from the same statement, its revision and the clock. */
    public record LeaseAndRevision(Lease lease, LeaseState.@Nullable Revision revision, Instant now) {}

    /** A lease and whether its revision's shared guard is held now. */
    public record Guarded(UUID leaseId, boolean held) {}

    private final Ledger ledger;

    public LeaseRows(Ledger ledger) {
        this.ledger = ledger;
    }

    /** What a holder has on a revision. A tenant of null is any. */
    public record HolderKey(
            RevisionId revisionId, String holder, @Nullable String tenantId) {}

    /** Locks the rows of these holders. */
    public Mono<List<Lease>> lockOfHolders(LedgerTransaction tx, Collection<HolderKey> holders) {
        return tx.sql(OF_HOLDERS)
                .bind(
                        "revisions",
                        LedgerTransaction.column(holders, h -> h.revisionId().hex(), new String[0]))
                .bind("holders", LedgerTransaction.column(holders, HolderKey::holder, new String[0]))
                .bind("tenants", LedgerTransaction.column(holders, HolderKey::tenantId, new String[0]))
                .map(LeaseRows::lease)
                .all()
                .collectList();
    }

    /** Locks these leases' rows. */
    public Flux<Lease> lock(LedgerTransaction tx, Collection<UUID> leases) {
        return tx.sql(BY_ID)
                .bind("leases", leases.toArray(UUID[]::new))
                .map(LeaseRows::lease)
                .all();
    }

    /** Locks these leases' rows and reads their revisions, whose guards must be held. */
    public Flux<LeaseAndRevision> lockWithRevisions(LedgerTransaction tx, Collection<UUID> leases) {
        return tx.sql(WITH_REVISIONS)
                .bind("leases", leases.toArray(UUID[]::new))
                .map(row -> new LeaseAndRevision(lease(row), revision(row), nowOf(row, tx)))
                .all();
    }

    /** Takes the shared guards of these leases' revisions, as far as they are free; unknown leases are absent. */
    public Flux<Guarded> tryGuards(LedgerTransaction tx, Collection<UUID> leases) {
        return tx.sql(TRY_GUARDS)
                .bind("leases", leases.toArray(UUID[]::new))
                .map(row -> new Guarded(required(row, "lease_id", UUID.class), required(row, "held", Boolean.class)))
                .all();
    }

    /** The revision of a lease; empty when there is no such lease. */
    public Mono<RevisionId> revisionOf(UUID leaseId) {
        return ledger.reads()
                .sql("SELECT revision_id FROM lease.revision_lease WHERE lease_id = :lease")
                .bind("lease", leaseId)
                .map(row -> new RevisionId(required(row, "revision_id", String.class)))
                .one()
                .onErrorMap(Ledger::readError);
    }

    /** Locks leases that expired more than 24 hours ago (spec 1.2). */
    public Mono<List<Lease>> lockLongExpired(LedgerTransaction tx, int most) {
        return tx.sql(LONG_EXPIRED)
                .bind("most", most)
                .map(LeaseRows::lease)
                .all()
                .collectList();
    }

    /**
     * A revision's live leases in the order of their holders.
     *
     * @param tenantId null for any
     * @param after the last holder of the page before; empty at the start
     * @return empty when there is no such revision for this tenant
     */
    public Mono<List<Lease>> live(RevisionId revision, @Nullable String tenantId, String after, int most) {
        GenericExecuteSpec statement = ledger.reads()
                .sql(LIVE)
                .bind("revision", revision.hex())
                .bind("after", after)
                .bind("most", most);
        return (tenantId == null ? statement.bindNull("tenant", String.class) : statement.bind("tenant", tenantId))
                .map(row -> row.get("lease_id", UUID.class) == null ? List.<Lease>of() : List.of(lease(row)))
                .all()
                .collectList()
                .filter(rows -> !rows.isEmpty())
                .map(rows -> rows.stream().flatMap(List::stream).toList())
                .onErrorMap(Ledger::readError);
    }

    static Lease lease(Readable row) {
        return new Lease(
                required(row, "lease_id", UUID.class),
                new RevisionId(required(row, "revision_id", String.class)),
                required(row, "tenant_id", String.class),
                required(row, "holder", String.class),
                required(row, "token_hash", String.class),
                required(row, "subject", String.class),
                required(row, "fenced_metadata_generation", Long.class),
                required(row, "lease_version", Long.class),
                required(row, "granted_at", Instant.class),
                required(row, "expires_at", Instant.class));
    }

    private static LeaseState.@Nullable Revision revision(Readable row) {
        if (row.get("known", String.class) == null) {
            return null;
        }
        return new LeaseState.Revision(
                new RevisionId(required(row, "revision_id", String.class)),
                required(row, "tenant_id", String.class),
                required(row, "metadata_generation", Long.class),
                Availability.valueOf(required(row, "availability", String.class)),
                OperationKind.valueOf(required(row, "operation", String.class)),
                row.get("drain_deadline", Instant.class));
    }

    private static Instant nowOf(Readable row, LedgerTransaction tx) {
        return Objects.requireNonNullElse(row.get("now", Instant.class), tx.now());
    }

    static <T> T required(Readable row, String column, Class<T> type) {
        return Objects.requireNonNull(row.get(column, type), column);
    }
}
