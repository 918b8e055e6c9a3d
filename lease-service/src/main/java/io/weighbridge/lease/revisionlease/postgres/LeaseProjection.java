package io.weighbridge.lease.revisionlease.postgres;

import static io.weighbridge.ledger.store.LedgerTransaction.column;

import io.weighbridge.lease.revisionlease.domain.LeaseState.Lease;
import io.weighbridge.lease.revisionlease.postgres.LeaseChanges.Rewritten;
import io.weighbridge.ledger.store.LedgerTransaction;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import reactor.core.publisher.Mono;

/**
 * The only writer of {@code lease.revision_lease}. The rows were locked before; what was decided is checked again in
 * SQL, and a row that is not as it was found ends the transaction with {@link LostRaceException}.
 */
public final class LeaseProjection {

    // Sorted, so that two transactions which grant to the same new holders wait for each other in one order.
    static final String INSERT = """
            INSERT INTO lease.revision_lease (lease_id, revision_id, tenant_id, holder, token_hash, subject,
                                              fenced_metadata_generation, lease_version, granted_at, expires_at)
            SELECT n.lease_id, n.revision_id, n.tenant_id, n.holder, n.token_hash, n.subject, n.generation,
                   n.lease_version, n.granted_at, n.expires_at
              FROM unnest(:leases::uuid[], :revisions::text[], :tenants::text[], :holders::text[], :hashes::text[],
                          :subjects::text[], :generations::bigint[], :versions::bigint[], :granted::timestamptz[],
                          :expiries::timestamptz[])
                       AS n(lease_id, revision_id, tenant_id, holder, token_hash, subject, generation, lease_version,
                            granted_at, expires_at)
              JOIN metadata.revision_v1 r ON r.revision_id = n.revision_id AND r.tenant_id = n.tenant_id
                                         AND r.metadata_generation = n.generation
                                         AND r.availability = 'READY' AND r.operation <> 'EVICTING'
             ORDER BY n.revision_id, n.holder
            ON CONFLICT (revision_id, holder) DO NOTHING
            """;

    static final String REWRITE = """
            UPDATE lease.revision_lease l
               SET lease_id = n.lease_id, token_hash = n.token_hash, subject = n.subject,
                   fenced_metadata_generation = n.generation, lease_version = n.lease_version,
                   granted_at = n.granted_at, expires_at = n.expires_at
              FROM unnest(:leases::uuid[], :revisions::text[], :tenants::text[], :holders::text[], :hashes::text[],
                          :subjects::text[], :generations::bigint[], :versions::bigint[], :granted::timestamptz[],
                          :expiries::timestamptz[], :priors::uuid[], :prior_versions::bigint[])
                       AS n(lease_id, revision_id, tenant_id, holder, token_hash, subject, generation, lease_version,
                            granted_at, expires_at, prior_id, prior_version)
             WHERE l.lease_id = n.prior_id AND l.lease_version = n.prior_version AND l.revision_id = n.revision_id
               AND l.holder = n.holder AND l.tenant_id = n.tenant_id
            """;

    static final String PROLONG = """
            UPDATE lease.revision_lease l
               SET expires_at = n.expires_at
              FROM unnest(:leases::uuid[], :versions::bigint[], :tenants::text[], :expiries::timestamptz[])
                       AS n(lease_id, lease_version, tenant_id, expires_at)
             WHERE l.lease_id = n.lease_id AND l.lease_version = n.lease_version AND l.tenant_id = n.tenant_id
               AND l.expires_at <= n.expires_at
            """;

    static final String DELETE = """
            DELETE FROM lease.revision_lease l
             USING unnest(:leases::uuid[], :versions::bigint[], :tenants::text[])
                       AS n(lease_id, lease_version, tenant_id)
             WHERE l.lease_id = n.lease_id AND l.lease_version = n.lease_version AND l.tenant_id = n.tenant_id
            """;

    /** Another transaction was faster; decided again, the command may end otherwise. */
    public static final class LostRaceException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        LostRaceException() {
            super("a lease row is not as it was found", null, false, false);
        }
    }

    private final LeaseEntries entries;

    public LeaseProjection(LeaseEntries entries) {
        this.entries = entries;
    }

    /** Writes the rows and appends the entries; nothing at all when nothing has happened. */
    public Mono<Void> write(LedgerTransaction tx, LeaseChanges changes) {
        return delete(tx, changes.gone())
                .then(prolong(tx, changes.prolonged()))
                .then(rewrite(tx, changes.rewritten()))
                .then(insert(tx, changes.granted()))
                .then(tx.append(entries.of(changes.events())));
    }

    private static Mono<Void> insert(LedgerTransaction tx, List<Lease> leases) {
        return leases.isEmpty() ? Mono.empty() : exactly(leases.size(), whole(tx.sql(INSERT), leases));
    }

    private static Mono<Void> rewrite(LedgerTransaction tx, List<Rewritten> rows) {
        if (rows.isEmpty()) {
            return Mono.empty();
        }
        GenericExecuteSpec statement =
                whole(tx.sql(REWRITE), rows.stream().map(Rewritten::lease).toList());
        return exactly(
                rows.size(),
                statement
                        .bind("priors", column(rows, Rewritten::priorId, new UUID[0]))
                        .bind("prior_versions", column(rows, Rewritten::priorVersion, new Long[0])));
    }

    private static Mono<Void> prolong(LedgerTransaction tx, List<Lease> leases) {
        return leases.isEmpty()
                ? Mono.empty()
                : exactly(leases.size(), named(tx.sql(PROLONG), leases).bind("expiries", expiries(leases)));
    }

    private static Mono<Void> delete(LedgerTransaction tx, List<Lease> leases) {
        return leases.isEmpty() ? Mono.empty() : exactly(leases.size(), named(tx.sql(DELETE), leases));
    }

    private static GenericExecuteSpec named(GenericExecuteSpec statement, List<Lease> leases) {
        return statement
                .bind("leases", column(leases, Lease::leaseId, new UUID[0]))
                .bind("versions", column(leases, Lease::version, new Long[0]))
                .bind("tenants", column(leases, Lease::tenantId, new String[0]));
    }

    private static GenericExecuteSpec whole(GenericExecuteSpec statement, List<Lease> leases) {
        return named(statement, leases)
                .bind("revisions", column(leases, lease -> lease.revisionId().hex(), new String[0]))
                .bind("holders", column(leases, Lease::holder, new String[0]))
                .bind("hashes", column(leases, Lease::tokenHash, new String[0]))
                .bind("subjects", column(leases, Lease::subject, new String[0]))
                .bind("generations", column(leases, Lease::fencedGeneration, new Long[0]))
                .bind("granted", column(leases, lease -> utc(lease.grantedAt()), new OffsetDateTime[0]))
                .bind("expiries", expiries(leases));
    }

    private static OffsetDateTime[] expiries(List<Lease> leases) {
        return column(leases, lease -> utc(lease.expiresAt()), new OffsetDateTime[0]);
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    private static Mono<Void> exactly(int rows, GenericExecuteSpec statement) {
        return statement
                .fetch()
                .rowsUpdated()
                .flatMap(written -> written == rows ? Mono.empty() : Mono.error(new LostRaceException()));
    }
}
