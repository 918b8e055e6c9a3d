package io.weighbridge.reconciliation.work.postgres;

import io.r2dbc.spi.Readable;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.reconciliation.work.domain.Claim;
import io.weighbridge.reconciliation.work.domain.Outcome;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Which revisions need a look, and who looks. Any number of instances share it (spec 1.8). */
public final class WorkProjection {

    private static final String DUE = """
            SELECT EXISTS (SELECT 1 FROM reconciliation.work WHERE due_at <= now() AND claim_until < now()) AS due
            """;

    private static final String CLAIM = """
            WITH c AS MATERIALIZED (
                SELECT revision_id FROM reconciliation.work
                 WHERE due_at <= now() AND claim_until < now()
                 ORDER BY due_at LIMIT :limit FOR UPDATE SKIP LOCKED)
            UPDATE reconciliation.work w
               SET claimed_by = :instance, claim_epoch = nextval('reconciliation.claim_epoch_seq'),
                   claim_until = clock_timestamp() + :hold * interval '1 millisecond', woken = false
              FROM c WHERE w.revision_id = c.revision_id
            RETURNING w.revision_id, w.claim_epoch, w.failures
            """;

    private static final String RENEW = """
            UPDATE reconciliation.work SET claim_until = clock_timestamp() + :hold * interval '1 millisecond'
             WHERE revision_id = :revision AND claim_epoch = :epoch
            """;

    private static final String SETTLE = """
            DELETE FROM reconciliation.work WHERE revision_id = :revision AND claim_epoch = :epoch AND NOT woken
            """;

    private static final String LOOK_AGAIN = """
            UPDATE reconciliation.work
               SET claimed_by = NULL, claim_until = '-infinity', failures = 0, last_error = NULL, woken = false,
                   due_at = clock_timestamp()
                          + CASE WHEN woken THEN interval '0' ELSE :delay * interval '1 millisecond' END
             WHERE revision_id = :revision AND claim_epoch = :epoch
            """;

    private static final String FAILED = """
            UPDATE reconciliation.work
               SET claimed_by = NULL, claim_until = '-infinity', failures = failures + 1, last_error = :error,
                   woken = false, due_at = clock_timestamp() + :delay * interval '1 millisecond'
             WHERE revision_id = :revision AND claim_epoch = :epoch
            """;

    /** What has failed is hurried to a second from now at most: news are many, and it backs off for a reason. */
    private static final String WAKE = """
            INSERT INTO reconciliation.work AS w (revision_id, due_at)
            SELECT id, clock_timestamp() + random() * :spread * interval '1 millisecond'
              FROM unnest(:revisions::text[]) id
            ON CONFLICT (revision_id) DO UPDATE
               SET woken = w.woken OR w.claim_until > now(),
                   due_at = least(w.due_at,
                                  excluded.due_at + CASE WHEN w.failures > 0 THEN interval '1 second'
                                                         ELSE interval '0' END)
            """;

    private static final String COUNTS = """
            SELECT count(*) FILTER (WHERE claim_until >= now()) AS claimed,
                   count(*) FILTER (WHERE claim_until < now()) AS queued
              FROM reconciliation.work
            """;

    private static final int WAKE_BATCH = 1000;
    private static final int MAX_ERROR = 500;

    private final Ledger ledger;
    private final UUID instance;

    /** @param instance this process, for whoever reads the table */
    public WorkProjection(Ledger ledger, UUID instance) {
        this.ledger = ledger;
        this.instance = instance;
    }

    /** How many rows are claimed now, and how many are not. */
    public record Counts(long claimed, long queued) {}

    /** Takes what is due and free, the longest due first, and holds it; empty when nothing is. */
    public Mono<List<Claim>> claim(int limit, Duration hold) {
        return ledger.reads()
                .sql(DUE)
                .map(row -> Boolean.TRUE.equals(row.get("due", Boolean.class)))
                .one()
                .onErrorMap(Ledger::readError)
                .filter(Boolean::booleanValue)
                .flatMap(_ -> ledger.transact(
                        Guards.none(),
                        tx -> tx.sql(CLAIM)
                                .bind("limit", limit)
                                .bind("instance", instance)
                                .bind("hold", hold.toMillis())
                                .map(WorkProjection::toClaim)
                                .all()
                                .collectList()))
                .defaultIfEmpty(List.of());
    }

    /** Holds the claim for longer. False: it is another's now, or gone. */
    public Mono<Boolean> renew(Claim claim, Duration hold) {
        return ledger.transact(
                Guards.none(),
                tx -> ofClaim(tx, RENEW, claim)
                        .bind("hold", hold.toMillis())
                        .fetch()
                        .rowsUpdated()
                        .map(rows -> rows > 0));
    }

    /**
     * Gives the claim back with what came of it.
     *
     * @param backoff how long to wait if it failed
     * @return false: the claim was another's already, and nothing was written
     */
    public Mono<Boolean> finish(Claim claim, Outcome outcome, Duration backoff) {
        return ledger.transact(Guards.none(), tx -> switch (outcome) {
            case Outcome.Settled _ ->
                ofClaim(tx, SETTLE, claim)
                        .fetch()
                        .rowsUpdated()
                        .flatMap(rows -> rows > 0 ? Mono.just(true) : lookAgain(tx, claim, Duration.ZERO));
            case Outcome.LookAgain(Duration delay) -> lookAgain(tx, claim, delay);
            case Outcome.Failed(String error) ->
                ofClaim(tx, FAILED, claim)
                        .bind("error", error.length() > MAX_ERROR ? error.substring(0, MAX_ERROR) : error)
                        .bind("delay", backoff.toMillis())
                        .fetch()
                        .rowsUpdated()
                        .map(rows -> rows > 0);
        });
    }

    /**
     * Says that these revisions need a look.
     *
     * @param spread over which their looks are spread at random; zero: at once
     */
    public Mono<Void> wake(Collection<RevisionId> revisions, Duration spread) {
        List<String> sorted =
                revisions.stream().map(RevisionId::hex).distinct().sorted().toList();
        return Flux.fromIterable(sorted)
                .buffer(WAKE_BATCH)
                .concatMap(batch -> ledger.transact(
                        Guards.none(),
                        tx -> tx.sql(WAKE)
                                .bind("revisions", batch.toArray(String[]::new))
                                .bind("spread", (double) spread.toMillis())
                                .fetch()
                                .rowsUpdated()))
                .then();
    }

    public Mono<Counts> counts() {
        return ledger.reads()
                .sql(COUNTS)
                .map(row -> new Counts(number(row, "claimed"), number(row, "queued")))
                .one()
                .onErrorMap(Ledger::readError);
    }

    private static Mono<Boolean> lookAgain(LedgerTransaction tx, Claim claim, Duration delay) {
        return ofClaim(tx, LOOK_AGAIN, claim)
                .bind("delay", delay.toMillis())
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    private static GenericExecuteSpec ofClaim(LedgerTransaction tx, String sql, Claim claim) {
        return tx.sql(sql).bind("revision", claim.revision().hex()).bind("epoch", claim.epoch());
    }

    private static Claim toClaim(Readable row) {
        return new Claim(
                new RevisionId(Objects.requireNonNull(row.get("revision_id", String.class))),
                number(row, "claim_epoch"),
                Objects.requireNonNull(row.get("failures", Integer.class)));
    }

    private static long number(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, Long.class));
    }
}
