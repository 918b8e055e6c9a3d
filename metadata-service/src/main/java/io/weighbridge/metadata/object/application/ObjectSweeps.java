package io.weighbridge.metadata.object.application;

import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.metadata.object.domain.PutCommand;
import io.weighbridge.metadata.object.postgres.ReclaimProjection;
import io.weighbridge.metadata.object.postgres.Sql;
import io.weighbridge.metadata.object.postgres.SweepRows;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * What time makes due: expired puts, reclaimable copies, copies of moved epochs. It is cleaning, never safety: every
 * rule compares with the database's clock and the segment's epoch by itself.
 */
public final class ObjectSweeps {

    static final String SUBJECT = "service/metadata";

    private static final Logger LOG = LoggerFactory.getLogger(ObjectSweeps.class);
    private static final int BATCH = 1000;

    private final Ledger ledger;
    private final PutHandler puts;
    private final ReclaimSettings reclaim;
    private final SweepRows rows = new SweepRows();
    private final ReclaimProjection reclaims = new ReclaimProjection();

    public ObjectSweeps(Ledger ledger, PutHandler puts, ReclaimSettings reclaim) {
        this.ledger = ledger;
        this.puts = puts;
        this.reclaim = reclaim;
    }

    /** One turn of all that is due often. */
    public Mono<Void> sweep() {
        return expire().then(Mono.defer(this::scheduleReclaims));
    }

    /** Revokes the puts of writers that have died (spec 2.2). */
    public Mono<Void> expire() {
        return rows.expired(sql(), BATCH)
                .flatMap(expired -> keep(expired, new PutCommand.Expire())
                        .then(Mono.defer(() -> keep(expired, new PutCommand.Forget()))));
    }

    /** Gives retired copies the time from which they may be freed. */
    public Mono<Void> scheduleReclaims() {
        return ledger.transact(Guards.none(), tx -> reclaims.schedule(tx::sql, reclaim.grace(), BATCH))
                .then();
    }

    /** Starts to drop the copies of a segment whose epoch has moved; they are unreadable already. */
    public void epochMoved(UUID segmentId) {
        forget(segmentId)
                .subscribeOn(Schedulers.parallel())
                .subscribe(
                        done -> {},
                        error -> LOG.warn(
                                "copies of the old epoch of segment {} wait: {}", segmentId, error.toString()));
    }

    /** Drops the copies of all moved epochs: what an instance that stopped has left. */
    public Mono<Void> forgetAll() {
        return rows.movable(sql()).concatMap(this::forget).then();
    }

    private Mono<Void> forget(UUID segmentId) {
        return rows.moved(sql(), segmentId, BATCH)
                .flatMap(moved -> keep(moved, new PutCommand.Forget()).thenReturn(moved.size()))
                .repeat()
                .takeUntil(count -> count < BATCH)
                .then();
    }

    private Mono<Void> keep(List<String> objectIds, PutCommand command) {
        List<PutRequest> requests = objectIds.stream()
                .<PutRequest>map(id -> new PutRequest.Housekeeping(SUBJECT, id, command))
                .toList();
        return requests.isEmpty() ? Mono.empty() : puts.submit(requests).then();
    }

    private Sql sql() {
        return ledger.reads()::sql;
    }
}
