package io.weighbridge.ledger.decision;

import io.weighbridge.ledger.problem.Problem;
import java.util.List;

/**
 * What a pure decider answers: {@code decide(state, command, now)} (spec 1.5).
 *
 * @param <E> the machine's events
 */
public sealed interface Decision<E> {

    /**
     * The command takes effect.
     *
     * @param events what has happened, in order, at least one
     */
    record Accepted<E>(List<E> events) implements Decision<E> {
        public Accepted {
            events = List.copyOf(events);
            if (events.isEmpty()) {
                throw new IllegalArgumentException("an accepted command has at least one event");
            }
        }
    }

    /** What the command asks for is already so: success, and nothing is written. */
    record Unchanged<E>() implements Decision<E> {}

    /** The command is refused and nothing is written. */
    record Refused<E>(Problem problem) implements Decision<E> {}

    @SafeVarargs
    static <E> Decision<E> accepted(E... events) {
        return new Accepted<>(List.of(events));
    }

    static <E> Decision<E> unchanged() {
        return new Unchanged<>();
    }

    static <E> Decision<E> refused(Problem problem) {
        return new Refused<>(problem);
    }
}
