package io.weighbridge.lease.revisionlease.domain;

import io.weighbridge.lease.revisionlease.domain.LeaseState.Lease;
import org.jspecify.annotations.Nullable;

/** What can have happened to a lease; each carries the row after it, the last one the row that is gone. */
public sealed interface LeaseEvent {

    /**
     * A holder has a lease that it did not have.
     *
     * @param replaced the same holder's expired lease, whose row this one takes; null when there was none
     */
    record Granted(Lease lease, @Nullable Lease replaced) implements LeaseEvent {}

    /** A holder asked again: the same lease with a fresh token, never shorter. */
    record Reissued(Lease lease) implements LeaseEvent {}

    /** A lease lives longer. */
    record Renewed(Lease lease) implements LeaseEvent {}

    /** A lease is gone. */
    record Returned(Lease lease, Cause cause) implements LeaseEvent {}

    /** Why a lease is gone. */
    enum Cause {
        /** Its holder gave it back. */
        HOLDER,
        /** An administrator ended it. */
        ADMINISTRATOR,
        /** It had expired, and its row was replaced or swept. */
        EXPIRY
    }

    /** The row after this event; null when it is gone. */
    default @Nullable Lease after() {
        return switch (this) {
            case Granted granted -> granted.lease();
            case Reissued reissued -> reissued.lease();
            case Renewed renewed -> renewed.lease();
            case Returned returned -> null;
        };
    }
}
