package io.weighbridge.reconciliation.work.domain;

import java.time.Duration;

/**
 * How long to wait after failures in a row: doubling up to a limit, the upper half of it at random, so that many that
 * failed together do not come back together.
 *
 * @param first after the first failure
 * @param limit never longer
 */
public record Backoff(Duration first, Duration limit) {

    /** @param failures in a row, 1 or more
     * @param jitter at random, 0 to 1 */
    public Duration after(int failures, double jitter) {
        int doublings = Math.min(Math.max(failures - 1, 0), 20);
        long whole = Math.min(first.toMillis() << doublings, limit.toMillis());
        return Duration.ofMillis(Math.round(whole * (0.5 + jitter / 2)));
    }
}
