package io.weighbridge.reconciliation.work.domain;

import java.time.Duration;

/** What came of looking at a revision. */
public sealed interface Outcome {

    /** Nothing is left to do: forget the revision until something wakes it. */
    record Settled() implements Outcome {}

    /** Look again after {@code delay}, or at once when woken meanwhile. */
    record LookAgain(Duration delay) implements Outcome {}

    /** It did not work; {@code error} is a sentence for a person, without secrets. */
    record Failed(String error) implements Outcome {}

    static Outcome settled() {
        return new Settled();
    }

    static Outcome lookAgain(Duration delay) {
        return new LookAgain(delay.isNegative() ? Duration.ZERO : delay);
    }

    static Outcome failed(String error) {
        return new Failed(error);
    }
}
