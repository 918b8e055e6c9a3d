package io.weighbridge.agent.registration.application;

import io.weighbridge.agent.tier.Extent;
import io.weighbridge.agent.tier.Segments;
import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.token.ReadLease;
import reactor.core.publisher.Mono;

/**
 * Which reads are allowed here (spec 2.3): a lease must be signed for this node, name the key, be alive and of the
 * segment's epoch.
 */
public final class ReadLeases {

    private final NodeKeys keys;
    private final LedgerClock clock;
    private final Segments segments;

    public ReadLeases(NodeKeys keys, LedgerClock clock, Segments segments) {
        this.keys = keys;
        this.clock = clock;
        this.segments = segments;
    }

    /**
     * Authenticates a lease and compares it with the key.
     *
     * @return PERMISSION_DENIED when it is for another node or key, LEASE_EXPIRED when its time is over
     */
    public Mono<ReadLease> verify(String token, String key) {
        return keys.verify(token, ReadLease::verify).map(lease -> {
            if (!CanonicalKeys.objectId(lease.tenantId(), key).equals(lease.objectId())) {
                throw new ProblemException(ProblemCode.PERMISSION_DENIED, "the read lease is for another key");
            }
            ensureAlive(lease);
            return lease;
        });
    }

    /** @throws ProblemException LEASE_EXPIRED when the lease's time is over, conservatively */
    public void ensureAlive(ReadLease lease) {
        if (clock.hasCome(lease.expiresAt())) {
            throw expired();
        }
    }

    /**
     * The whole extent that the lease names.
     *
     * @throws ProblemException LEASE_EXPIRED when the segment's epoch has moved, NOT_FOUND when the copy is not here,
     *     UNAVAILABLE before the segment is mounted
     */
    public Extent extent(ReadLease lease) {
        Extent extent = segments.find(lease.replicaId());
        if (extent == null
                || extent.content() == null
                || !extent.spec().objectId().equals(lease.objectId())) {
            throw new ProblemException(ProblemCode.NOT_FOUND, "this copy is not here");
        }
        Long epoch = segments.epoch(extent.segment().identity().segmentId());
        if (epoch == null) {
            throw new ProblemException(ProblemCode.UNAVAILABLE, "the segment is not mounted yet");
        }
        if (epoch != lease.segmentEpoch()) {
            throw new ProblemException(ProblemCode.LEASE_EXPIRED, "the segment's epoch has moved to " + epoch);
        }
        return extent;
    }

    /** The refusal once a lease is over. */
    public static ProblemException expired() {
        return new ProblemException(ProblemCode.LEASE_EXPIRED, "the read lease has expired; locate the object again");
    }
}
