package io.weighbridge.lease.revisionlease.domain;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.OperationKind;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a lease command is decided on.
 *
 * @param revision as read under the shared guard; null when there is none that the caller may see. Returning a lease
 *     does not look at it
 * @param lease the row that the command names: by revision and holder, or by its id; null when there is none
 */
public record LeaseState(
        @Nullable Revision revision, @Nullable Lease lease) {

    /**
     * The part of a revision that decides about its leases.
     *
     * @param generation its metadata generation
     * @param drainDeadline until when leases of a DELETING revision may be renewed; null otherwise
     */
    public record Revision(
            RevisionId id,
            String tenantId,
            long generation,
            Availability availability,
            OperationKind operation,
            @Nullable Instant drainDeadline) {}

    /**
     * One reader's claim on one revision (spec 1.2). It is kept past its expiry until it is replaced or swept.
     *
     * @param holder names one reader process; unique per revision
     * @param tokenHash {@link io.weighbridge.ledger.token.Secret#hash} of the lease token
     * @param subject who got it
     * @param fencedGeneration the revision's metadata generation when it was granted
     * @param version from 1; moves with each token
     * @param expiresAt the first instant at which it protects nothing any more
     */
    public record Lease(
            UUID leaseId,
            RevisionId revisionId,
            String tenantId,
            String holder,
            String tokenHash,
            String subject,
            long fencedGeneration,
            long version,
            Instant grantedAt,
            Instant expiresAt) {

        /** The instant of expiry itself counts as expired. */
        public boolean isLive(Instant now) {
            return now.isBefore(expiresAt);
        }

        Lease until(Instant later) {
            return new Lease(
                    leaseId,
                    revisionId,
                    tenantId,
                    holder,
                    tokenHash,
                    subject,
                    fencedGeneration,
                    version,
                    grantedAt,
                    later);
        }

        Lease reissued(String newTokenHash, Instant later) {
            return new Lease(
                    leaseId,
                    revisionId,
                    tenantId,
                    holder,
                    newTokenHash,
                    subject,
                    fencedGeneration,
                    version + 1,
                    grantedAt,
                    later);
        }
    }
}
