package io.weighbridge.lease.revisionlease.application;

import io.weighbridge.lease.revisionlease.domain.LeaseEvent;
import io.weighbridge.lease.revisionlease.domain.LeaseEvent.Cause;
import io.weighbridge.lease.revisionlease.domain.LeaseState.Lease;
import io.weighbridge.lease.revisionlease.postgres.LeaseChanges;
import io.weighbridge.lease.revisionlease.postgres.LeaseChanges.Happened;
import io.weighbridge.lease.revisionlease.postgres.LeaseProjection;
import io.weighbridge.lease.revisionlease.postgres.LeaseRows;
import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.Ledger;
import java.util.List;
import reactor.core.publisher.Mono;

/** Removes rows of leases that expired more than 24 hours ago. Nothing depends on it (spec 1.8). */
public final class LeaseSweep {

    private static final int MOST = 500;
    private static final String SUBJECT = "service/lease";

    private final Ledger ledger;
    private final LeaseRows rows;
    private final LeaseProjection projection;
    private final LeaseMetrics metrics;

    public LeaseSweep(Ledger ledger, LeaseRows rows, LeaseProjection projection, LeaseMetrics metrics) {
        this.ledger = ledger;
        this.rows = rows;
        this.projection = projection;
        this.metrics = metrics;
    }

    /** Sweeps in short transactions until nothing is left, and tells how many rows went. */
    public Mono<Long> sweep() {
        return some().expand(swept -> swept == MOST ? some() : Mono.empty())
                .doOnNext(metrics::swept)
                .reduce(0L, Long::sum);
    }

    private Mono<Integer> some() {
        return ledger.transact(
                Guards.none(),
                tx -> rows.lockLongExpired(tx, MOST)
                        .flatMap(gone -> projection.write(tx, changes(gone)).thenReturn(gone.size())));
    }

    private static LeaseChanges changes(List<Lease> gone) {
        List<Happened> events = gone.stream()
                .map(lease -> new Happened(new LeaseEvent.Returned(lease, Cause.EXPIRY), SUBJECT))
                .toList();
        return new LeaseChanges(List.of(), List.of(), List.of(), gone, events);
    }
}
