package io.weighbridge.agent.transfer.application;

import io.weighbridge.agent.registration.Ledger;
import io.weighbridge.agent.registration.application.LedgerClock;
import io.weighbridge.agent.registration.application.ReadLeases;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.token.ReadLease;
import io.weighbridge.wire.ObjectResults;
import io.weighbridge.wire.ReplicaView;
import io.weighbridge.wire.StartTransfers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The read lease of one source during one transfer. A large object takes longer than a lease lives, so it is located
 * again shortly before its end; the copy and the object's version must still be the same.
 */
final class SourceLease {

    /** Renewed when less is left: enough for one span over a slow link. */
    private static final Duration MARGIN = Duration.ofMillis(2500);

    private final StartTransfers.Source source;
    private final String tenantId;
    private final String key;
    private final Ledger ledger;
    private final LedgerClock clock;
    private Held held;
    private @Nullable Mono<Held> renewing;

    /** A lease in its two forms. */
    record Held(StartTransfers.Source source, ReadLease lease) {}

    SourceLease(StartTransfers.Source source, String tenantId, String key, Ledger ledger, LedgerClock clock) {
        this.source = source;
        this.tenantId = tenantId;
        this.key = key;
        this.ledger = ledger;
        this.clock = clock;
        this.held = held(source.readLease());
    }

    /** A lease that lives for a while. */
    synchronized Mono<Held> live() {
        return clock.until(held.lease.expiresAt()).compareTo(margin()) > 0 ? Mono.just(held) : renew(held);
    }

    /** Asks for another one unless that has been done since {@code old} was current. */
    synchronized Mono<Held> renew(Held old) {
        if (held != old) {
            return Mono.just(held);
        }
        Mono<Held> current = renewing;
        if (current == null) {
            current = ledger.locate(tenantId, key)
                    .map(this::take)
                    .doFinally(signal -> renewed())
                    .cache();
            renewing = current;
        }
        return current;
    }

    /** @throws ProblemException LEASE_EXPIRED when bytes that have just arrived came too late */
    void ensureAlive(Held used) {
        if (clock.hasCome(used.lease.expiresAt())) {
            throw ReadLeases.expired();
        }
    }

    private Duration margin() {
        Duration half = held.lease.ttl().dividedBy(2);
        return half.compareTo(MARGIN) < 0 ? half : MARGIN;
    }

    private synchronized void renewed() {
        renewing = null;
    }

    private synchronized Held take(ObjectResults results) {
        ObjectResults.Item item = results.items().getFirst();
        if (item.code() != null) {
            throw new ProblemException(item.code(), "the source cannot be located any more");
        }
        for (ReplicaView replica : item.replicas()) {
            String token = replica.readLease();
            if (replica.replicaId().equals(source.replicaId()) && token != null) {
                Held fresh = held(token);
                if (fresh.lease.objectVersion() != held.lease.objectVersion()) {
                    throw new ProblemException(ProblemCode.CONFLICT, "the object has a newer version");
                }
                held = fresh;
                return fresh;
            }
        }
        throw new ProblemException(ProblemCode.NOT_FOUND, "the source copy is not readable any more");
    }

    private Held held(String token) {
        return new Held(
                new StartTransfers.Source(source.url(), source.nodeId(), source.replicaId(), source.tier(), token),
                ReadLease.unverified(token));
    }
}
