package io.weighbridge.client.weights;

import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.wire.AcquiredLease;
import io.weighbridge.wire.RevisionView;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A revision lease that is renewed in the background until it is closed, and returned then, whatever happened. */
public final class HeldLease implements AutoCloseable {

    private final GatewayClient gateway;
    private final AcquiredLease lease;
    private final Duration ttl;
    private final ScheduledExecutorService renewals = Executors.newSingleThreadScheduledExecutor(
            Thread.ofVirtual().name("lease-renewal").factory());
    private volatile @Nullable ProblemException lost;

    /** Counted from before the request that granted or renewed it was sent (spec 2.3). */
    private volatile long heldUntilNanos;

    private final Future<?> renewing;

    private HeldLease(GatewayClient gateway, AcquiredLease lease, Duration ttl, long askedNanos) {
        this.heldUntilNanos = askedNanos + ttl.toNanos();
        this.gateway = gateway;
        this.lease = lease;
        this.ttl = ttl;
        long period = Math.max(1, ttl.toMillis() / 3);
        this.renewing = renewals.scheduleWithFixedDelay(this::renew, period, period, TimeUnit.MILLISECONDS);
    }

    /**
     * Acquires the lease.
     *
     * @param revision as it was looked up: its generation is the fence
     * @param holder names this reader process
     * @param ttl 1 ms to 24 h; renewed three times as often
     */
    public static HeldLease acquire(GatewayClient gateway, RevisionView revision, String holder, Duration ttl) {
        return Patience.with(() -> {
            long asked = System.nanoTime();
            AcquiredLease lease = gateway.acquire(revision.revisionId(), revision.metadataGeneration(), holder, ttl);
            return new HeldLease(gateway, lease, ttl, asked);
        });
    }

    public UUID leaseId() {
        return lease.lease().leaseId();
    }

    /** The revision as it was when the lease was granted. */
    public RevisionView revision() {
        return lease.revision();
    }

    /**
     * @throws ProblemException why the last renewal was refused, or LEASE_EXPIRED when none got through in time: what
     *     is read now may not be used
     */
    public void requireHeld() {
        ProblemException problem = lost;
        if (problem != null) {
            throw problem;
        }
        if (System.nanoTime() - heldUntilNanos >= 0) {
            throw new ProblemException(
                    ProblemCode.LEASE_EXPIRED, "lease " + leaseId() + " could not be renewed in time");
        }
    }

    private void renew() {
        long asked = System.nanoTime();
        try {
            gateway.renew(leaseId(), lease.leaseToken(), ttl);
            heldUntilNanos = asked + ttl.toNanos();
        } catch (ProblemException problem) {
            // The next renewal comes before the lease ends; a refusal is final.
            if (!Patience.isPassing(problem)) {
                lost = problem;
            }
        }
    }

    @Override
    public void close() {
        renewing.cancel(true);
        renewals.shutdownNow();
        try {
            gateway.returnLease(leaseId(), lease.leaseToken());
        } catch (ProblemException unreachable) {
            // It expires by itself.
        }
    }
}
