package io.weighbridge.metadata.idempotency.postgres;

import io.r2dbc.spi.Readable;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.metadata.idempotency.IdempotencyKey;
import java.time.Instant;
import java.util.Objects;
import reactor.core.publisher.Mono;

/** Keys that were used, each with the command and its accepted outcome. */
public final class IdempotencyTable {

    /** The first half of the two-part advisory lock, which never meets the one-part keys of revision guards. */
    private static final int LOCKS = 0x1DE4;

    /** @param outcome JSON */
    public record Kept(String digest, String outcome) {}

    /** False while another transaction is at work under this key. */
    public Mono<Boolean> lock(LedgerTransaction tx, IdempotencyKey key) {
        return tx.sql("SELECT pg_try_advisory_xact_lock(:space, :key) AS held")
                .bind("space", LOCKS)
                .bind("key", key.lock())
                .map(row -> Boolean.TRUE.equals(row.get("held", Boolean.class)))
                .one();
    }

    /** Empty when the key has not been used. */
    public Mono<Kept> find(LedgerTransaction tx, IdempotencyKey key) {
        return tx.sql("""
                        SELECT digest, outcome::text AS outcome FROM metadata.idempotency
                         WHERE tenant_id = :tenant AND subject = :subject AND key = :key
                        """)
                .bind("tenant", key.tenantId())
                .bind("subject", key.subject())
                .bind("key", key.value())
                .map(row -> new Kept(text(row, "digest"), text(row, "outcome")))
                .one();
    }

    /** Keeps an accepted outcome. */
    public Mono<Void> keep(LedgerTransaction tx, IdempotencyKey key, Kept kept) {
        return tx.sql("""
                        INSERT INTO metadata.idempotency (tenant_id, subject, key, digest, outcome, created_at)
                        VALUES (:tenant, :subject, :key, :digest, CAST(:outcome AS jsonb), :now)
                        """)
                .bind("tenant", key.tenantId())
                .bind("subject", key.subject())
                .bind("key", key.value())
                .bind("digest", kept.digest())
                .bind("outcome", kept.outcome())
                .bind("now", tx.now())
                .then();
    }

    /** Forgets what was kept before that time, and answers how much that was. */
    public Mono<Long> forget(LedgerTransaction tx, Instant before, int most) {
        return tx.sql("""
                        DELETE FROM metadata.idempotency
                         WHERE ctid = ANY(ARRAY(SELECT ctid FROM metadata.idempotency
                                                 WHERE created_at < :before ORDER BY created_at LIMIT :most
                                                   FOR UPDATE SKIP LOCKED))
                        """).bind("before", before).bind("most", most).fetch().rowsUpdated();
    }

    private static String text(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, String.class));
    }
}
