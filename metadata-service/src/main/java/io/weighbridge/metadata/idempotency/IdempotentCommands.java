package io.weighbridge.metadata.idempotency;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.wire.WireJson;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Lets a command with an Idempotency-Key take effect once, and tells its repetitions the same outcome (spec 1.5). */
public final class IdempotentCommands {

    /** The first half of the two-part advisory lock, which never meets the one-part keys of revision guards. */
    private static final int LOCKS = 0x1DE4;

    private final JsonMapper json = WireJson.newMapper();

    /**
     * Runs the work unless the key has been used. Called inside the command's transaction, after its guards and before
     * its fence is looked at.
     *
     * @param key null: the caller sent none, and the work just runs
     * @param digest of the command without its fence; another one under the same key is CONFLICT
     * @param work its value is kept as the outcome, as JSON, and must hold no token; empty or refused: nothing is kept
     * @return the work's value, or the kept outcome; BUSY while a twin is at work
     */
    public <T> Mono<T> once(
            LedgerTransaction tx, @Nullable IdempotencyKey key, String digest, Class<T> outcomeType, Mono<T> work) {
        if (key == null) {
            return work;
        }
        return lock(tx, key)
                .then(Mono.defer(() -> find(tx, key)))
                .map(kept -> outcome(kept, digest, outcomeType))
                .switchIfEmpty(Mono.defer(() -> work.flatMap(
                        outcome -> keep(tx, key, digest, outcome).thenReturn(outcome))));
    }

    /** Forgets what is older. @return how many keys were forgotten */
    public static Mono<Long> forget(Ledger ledger, Duration age, int most) {
        return ledger.transact(
                Guards.none(),
                tx -> tx.sql("""
                                DELETE FROM metadata.idempotency
                                 WHERE ctid = ANY(ARRAY(SELECT ctid FROM metadata.idempotency
                                                         WHERE created_at < :limit ORDER BY created_at LIMIT :most
                                                           FOR UPDATE SKIP LOCKED))
                                """)
                        .bind("limit", tx.now().minus(age))
                        .bind("most", most)
                        .fetch()
                        .rowsUpdated());
    }

    private static Mono<Void> lock(LedgerTransaction tx, IdempotencyKey key) {
        return tx.sql("SELECT pg_try_advisory_xact_lock(:space, :key) AS held")
                .bind("space", LOCKS)
                .bind("key", key.lock())
                .map(row -> Boolean.TRUE.equals(row.get("held", Boolean.class)))
                .one()
                .flatMap(held -> held
                        ? Mono.<Void>empty()
                        : Mono.error(new ProblemException(
                                ProblemCode.BUSY, "another request with this Idempotency-Key is in progress")));
    }

    private static Mono<Kept> find(LedgerTransaction tx, IdempotencyKey key) {
        return tx.sql("""
                        SELECT digest, outcome::text AS outcome FROM metadata.idempotency
                         WHERE tenant_id = :tenant AND subject = :subject AND key = :key
                        """)
                .bind("tenant", key.tenantId())
                .bind("subject", key.subject())
                .bind("key", key.value())
                .map(row -> new Kept(
                        String.valueOf(row.get("digest", String.class)),
                        String.valueOf(row.get("outcome", String.class))))
                .one();
    }

    private <T> T outcome(Kept kept, String digest, Class<T> type) {
        if (!kept.digest().equals(digest)) {
            throw new ProblemException(
                    ProblemCode.CONFLICT, "this Idempotency-Key was used for a different command");
        }
        return json.readValue(kept.outcome(), type);
    }

    private Mono<Void> keep(LedgerTransaction tx, IdempotencyKey key, String digest, Object outcome) {
        return tx.sql("""
                        INSERT INTO metadata.idempotency (tenant_id, subject, key, digest, outcome, created_at)
                        VALUES (:tenant, :subject, :key, :digest, :outcome::jsonb, :now)
                        """)
                .bind("tenant", key.tenantId())
                .bind("subject", key.subject())
                .bind("key", key.value())
                .bind("digest", digest)
                .bind("outcome", json.writeValueAsString(outcome))
                .bind("now", tx.now())
                .then();
    }

    private record Kept(String digest, String outcome) {}
}
