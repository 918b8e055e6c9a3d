package io.weighbridge.ledger.http.calls;

import java.time.Duration;

/**
 * Bounds of calls to one peer.
 *
 * @param connectTimeout until the connection stands
 * @param answerTimeout until the answer's headers are there, and between its bytes
 * @param attempts of idempotent reads, at least 1
 */
public record CallLimits(Duration connectTimeout, Duration answerTimeout, int attempts) {

    /** For calls within one site: 2 s, 10 s, 3 attempts. */
    public static CallLimits standard() {
        return new CallLimits(Duration.ofSeconds(2), Duration.ofSeconds(10), 3);
    }

    /** The same with another answer time-out: long polls and transfers. */
    public CallLimits withAnswerTimeout(Duration timeout) {
        return new CallLimits(connectTimeout, timeout, attempts);
    }

    /** The same without repetition. */
    public CallLimits once() {
        return new CallLimits(connectTimeout, answerTimeout, 1);
    }
}
