package io.weighbridge.lease.revisionlease.application;

import io.weighbridge.lease.revisionlease.domain.LeaseCommand.Renew;
import io.weighbridge.lease.revisionlease.domain.LeaseCommand.Return;
import io.weighbridge.lease.revisionlease.domain.LeaseState.Lease;
import io.weighbridge.lease.revisionlease.postgres.LeaseProjection;
import io.weighbridge.lease.revisionlease.postgres.LeaseRows;
import io.weighbridge.lease.revisionlease.postgres.RevisionRows;
import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.token.Secret;
import io.weighbridge.wire.AcquireLease;
import io.weighbridge.wire.AcquireLeases;
import io.weighbridge.wire.RenewLeases;
import io.weighbridge.wire.ReturnLeases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Acquire, renew and return revision leases (spec 1.5). Everything is answered after its commit; a caller that goes
 * away cancels nothing. A refusal is an answer; what could not be decided is an error signal.
 */
public final class RevisionLeases {

    /**
     * Who asks.
     *
     * @param tenantId null for services of this system, which act across tenants
     * @param administrator may return leases without their tokens
     */
    public record Asker(@Nullable String tenantId, String subject, boolean administrator) {}

    private final LeaseLanes<Acquiring> acquiring;
    private final LeaseLanes<Renew> renewing;
    private final LeaseLanes<Return> returning;
    private final LeaseRows rows;
    private final LeaseMetrics metrics;

    public RevisionLeases(
            Ledger ledger, RevisionRows revisions, LeaseRows rows, LeaseProjection projection, LeaseMetrics metrics) {
        this.acquiring = new LeaseLanes<>(new Acquisition(ledger, revisions, rows, projection));
        this.renewing = new LeaseLanes<>(new Renewal(ledger, rows, projection));
        this.returning = new LeaseLanes<>(new Returning(ledger, rows, projection));
        this.rows = rows;
        this.metrics = metrics;
    }

    /** The answer tells the revision, too. INVALID_ARGUMENT is an error signal. */
    public Mono<LeaseAnswer> acquire(Asker asker, RevisionId revisionId, Fence fence, AcquireLease wanted) {
        return Mono.fromSupplier(() -> Acquiring.of(
                        asker.tenantId(),
                        asker.subject(),
                        revisionId,
                        fence,
                        wanted.holder(),
                        Duration.ofMillis(wanted.ttlMs()),
                        true))
                .flatMap(acquiring::submit)
                .doOnNext(metrics::acquired);
    }

    /** INVALID_ARGUMENT is an error signal. */
    public Mono<LeaseAnswer> renew(Asker asker, UUID leaseId, String token, Duration ttl) {
        return Mono.fromSupplier(() -> new Renew(asker.tenantId(), leaseId, Secret.hash(token), ttl))
                .flatMap(renewing::submit)
                .doOnNext(metrics::renewed);
    }

    /** Succeeds for a lease that does not exist any more. */
    public Mono<LeaseAnswer> giveBack(Asker asker, UUID leaseId, @Nullable String token) {
        return returning.submit(returning(asker, leaseId, token)).doOnNext(metrics::returned);
    }

    /** Many at once, answered in their order, without the revisions. Malformed items are answers too. */
    public Mono<List<LeaseAnswer>> acquireAll(Asker asker, List<AcquireLeases.Item> items) {
        return all(items, item -> acquiring(asker, item), acquiring)
                .doOnNext(answers -> answers.forEach(metrics::acquired));
    }

    /** Many at once, answered in their order. Malformed items are answers too. */
    public Mono<List<LeaseAnswer>> renewAll(Asker asker, List<RenewLeases.Item> items) {
        return all(items, item -> renewing(asker, item), renewing)
                .doOnNext(answers -> answers.forEach(metrics::renewed));
    }

    /** Many at once, answered in their order. */
    public Mono<List<LeaseAnswer>> giveBackAll(Asker asker, List<ReturnLeases.Item> items) {
        return all(items, item -> returning(asker, item.leaseId(), item.leaseToken()), returning)
                .doOnNext(answers -> answers.forEach(metrics::returned));
    }

    /**
     * A revision's live leases in the order of their holders.
     *
     * @param after the last holder of the page before; empty at the start
     * @return NOT_FOUND when the tenant has no such revision
     */
    public Mono<List<Lease>> list(RevisionId revision, @Nullable String tenantId, String after, int most) {
        return rows.live(revision, tenantId, after, most)
                .switchIfEmpty(Mono.error(() -> new ProblemException(ProblemCode.NOT_FOUND, "no such revision")));
    }

    private static Acquiring acquiring(Asker asker, AcquireLeases.Item item) {
        Long generation = item.expectedGeneration();
        return Acquiring.of(
                asker.tenantId(),
                asker.subject(),
                new RevisionId(item.revisionId()),
                generation == null ? new Fence.Any() : Fence.exactly(generation),
                item.holder(),
                Duration.ofMillis(item.ttlMs()),
                false);
    }

    private static Renew renewing(Asker asker, RenewLeases.Item item) {
        return new Renew(
                asker.tenantId(), item.leaseId(), Secret.hash(item.leaseToken()), Duration.ofMillis(item.ttlMs()));
    }

    private static Return returning(Asker asker, UUID leaseId, @Nullable String token) {
        return new Return(
                asker.tenantId(),
                leaseId,
                token == null ? null : Secret.hash(token),
                asker.administrator(),
                asker.subject());
    }

    /** Submits the well-formed items and puts the answers of the others into their places. */
    private static <I, C> Mono<List<LeaseAnswer>> all(List<I> items, Function<I, C> command, LeaseLanes<C> lanes) {
        List<C> commands = new ArrayList<>(items.size());
        List<@Nullable LeaseAnswer> malformed = new ArrayList<>(items.size());
        for (I item : items) {
            try {
                commands.add(command.apply(item));
                malformed.add(null);
            } catch (ProblemException e) {
                malformed.add(new LeaseAnswer.Refused(e.problem()));
            }
        }
        return lanes.submitAll(commands).map(answers -> {
            Iterator<LeaseAnswer> next = answers.iterator();
            List<LeaseAnswer> all = new ArrayList<>(items.size());
            for (LeaseAnswer refused : malformed) {
                all.add(refused == null ? next.next() : refused);
            }
            return all;
        });
    }
}
