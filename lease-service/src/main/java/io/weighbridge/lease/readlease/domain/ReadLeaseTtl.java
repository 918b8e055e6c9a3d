package io.weighbridge.lease.readlease.domain;

import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long read leases may last (spec 2.3).
 *
 * @param max the longest, at least 1 ms
 */
public record ReadLeaseTtl(Duration max) {

    private static final Duration USUAL = Duration.ofSeconds(10);

    /** Where nothing in particular is asked for: 10 s, or the longest where that is less. */
    public Duration usual() {
        return max.compareTo(USUAL) < 0 ? max : USUAL;
    }

    /**
     * The asked time, or the usual one.
     *
     * @throws ProblemException INVALID_ARGUMENT for more than the longest or less than 1 ms: a reader that counts on
     *     more than it got would read bytes that may be gone
     */
    public Duration of(@Nullable Long millis) {
        if (millis == null) {
            return usual();
        }
        if (millis < 1 || millis > max.toMillis()) {
            throw new ProblemException(Problem.invalid("read_lease_ttl_ms", "must be 1 to " + max.toMillis()));
        }
        return Duration.ofMillis(millis);
    }
}
