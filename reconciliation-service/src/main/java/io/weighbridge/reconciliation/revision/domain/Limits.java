package io.weighbridge.reconciliation.revision.domain;

import java.time.Duration;

/**
 * Bounds of one pass over one revision.
 *
 * @param copiesInFlight copies being made at a time
 * @param bytesInFlightPerNode bytes being copied to one node at a time; one copy is always allowed
 * @param retiresPerPass copies retired in one pass
 * @param abandonAfter the age of an import's heartbeat at which it is aborted
 * @param lookAgainMoving when to look again while copies are being made
 * @param lookAgainStuck when to look again while something is wanted that cannot be had
 */
public record Limits(
        int copiesInFlight,
        long bytesInFlightPerNode,
        int retiresPerPass,
        Duration abandonAfter,
        Duration lookAgainMoving,
        Duration lookAgainStuck) {

    /** The defaults of the configuration. */
    public static final Limits DEFAULT =
            new Limits(256, 2L << 30, 512, Duration.ofMinutes(15), Duration.ofSeconds(1), Duration.ofSeconds(5));
}
