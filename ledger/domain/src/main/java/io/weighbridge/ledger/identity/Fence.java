package io.weighbridge.ledger.identity;

/** The metadata generation that a caller expects (spec 1.5). On the wire it is {@code If-Match}. */
public sealed interface Fence {

    /** Whatever is current; {@code If-Match: *}, allowed for acquiring a lease only. */
    record Any() implements Fence {
        @Override
        public String toString() {
            return "*";
        }
    }

    /** Exactly this generation, at least 1. */
    record Exactly(long generation) implements Fence {
        /** @throws io.weighbridge.ledger.problem.ProblemException INVALID_ARGUMENT when it is no counter */
        public Exactly {
            Validation.counter("expected_generation", generation);
        }

        @Override
        public String toString() {
            return Long.toString(generation);
        }
    }

    static Fence exactly(long generation) {
        return new Exactly(generation);
    }

    /** The fence holds at the current generation. */
    default boolean matches(long current) {
        return switch (this) {
            case Any() -> true;
            case Exactly(long generation) -> generation == current;
        };
    }

    /** The current generation is the expected one or the next: a retry after a lost response (spec 1.5). */
    default boolean isAdjacent(long current) {
        return switch (this) {
            case Any() -> true;
            case Exactly(long generation) -> current == generation || current == generation + 1;
        };
    }
}
