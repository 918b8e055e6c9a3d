package io.weighbridge.lease.revisionlease.application;

import io.weighbridge.lease.revisionlease.domain.LeaseState.Lease;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.wire.RevisionView;
import org.jspecify.annotations.Nullable;

/** What a lease command was answered, after the commit. */
public sealed interface LeaseAnswer {

    /**
     * The holder has the lease.
     *
     * @param token given out once, here
     * @param reused it had the lease already
     * @param revision as the lease was granted on; null where it was not asked for
     */
    record Acquired(
            Lease lease,
            String token,
            boolean reused,
            @Nullable RevisionView revision) implements LeaseAnswer {

        /** Without the token, so that it reaches no log. */
        @Override
        public String toString() {
            return "Acquired[lease=" + lease.leaseId() + ", reused=" + reused + "]";
        }
    }

    /** The lease lives at least as long as it was asked to. */
    record Renewed(Lease lease) implements LeaseAnswer {}

    /** There is no such lease any more. */
    record Returned() implements LeaseAnswer {}

    /** Nothing was changed. */
    record Refused(Problem problem) implements LeaseAnswer {}
}
