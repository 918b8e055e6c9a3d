package io.weighbridge.lease.revisionlease.domain;

import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What can be asked of a revision's leases. A command that exists is well-formed, so malformed arguments come before
 * all other refusals (spec 1.5).
 */
public sealed interface LeaseCommand {

    /** The longest life that one command can give a lease. */
    Duration TTL_MAX = Duration.ofHours(24);

    /** The caller's tenant; null for services of this system, which act across tenants. */
    @Nullable
    String tenantId();

    /**
     * Acquires a lease on a revision for a holder.
     *
     * @param fence the expected metadata generation, or any
     * @param holder names one reader process
     * @param ttl 1 ms to 24 h
     * @param subject who asks
     * @param newLeaseId the id of a lease that has to be made
     * @param newTokenHash the hash of the token that is given out with the answer
     */
    record Acquire(
            @Nullable String tenantId,
            RevisionId revisionId,
            Fence fence,
            String holder,
            Duration ttl,
            String subject,
            UUID newLeaseId,
            String newTokenHash)
            implements LeaseCommand {

        /** @throws ProblemException INVALID_ARGUMENT that names the field */
        public Acquire {
            requireTtl(ttl);
            Validation.text("holder", holder);
        }
    }

    /**
     * Prolongs a lease.
     *
     * @param tokenHash the hash of the token that was presented
     * @param ttl 1 ms to 24 h
     */
    record Renew(@Nullable String tenantId, UUID leaseId, String tokenHash, Duration ttl) implements LeaseCommand {

        /** @throws ProblemException INVALID_ARGUMENT that names the field */
        public Renew {
            requireTtl(ttl);
        }
    }

    /**
     * Ends a lease before its expiry.
     *
     * @param tokenHash the hash of the token that was presented; null when there was none
     * @param administrator may do so without the token
     * @param subject who asks
     */
    record Return(
            @Nullable String tenantId,
            UUID leaseId,
            @Nullable String tokenHash,
            boolean administrator,
            String subject) implements LeaseCommand {}

    private static void requireTtl(Duration ttl) {
        if (ttl.compareTo(Duration.ofMillis(1)) < 0 || ttl.compareTo(TTL_MAX) > 0) {
            throw new ProblemException(Problem.invalid("ttl_ms", "must be 1 to " + TTL_MAX.toMillis()));
        }
    }
}
