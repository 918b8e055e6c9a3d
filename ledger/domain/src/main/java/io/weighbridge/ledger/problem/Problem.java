package io.weighbridge.ledger.problem;

import io.weighbridge.ledger.identity.Fence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One refusal.
 *
 * @param code why, from the closed list
 * @param detail one sentence for a person, without secrets
 * @param currentGeneration the generation to refresh to, where it helps
 * @param errors the offending fields or names, possibly empty
 */
public record Problem(
        ProblemCode code, String detail, @Nullable Long currentGeneration, List<FieldError> errors) {

    /** The offending field or name and what is wrong with it. */
    public record FieldError(String field, String message) {}

    public Problem {
        errors = List.copyOf(errors);
    }

    public static Problem of(ProblemCode code, String detail) {
        return new Problem(code, detail, null, List.of());
    }

    /** A malformed argument, by the field's name on the wire. */
    public static Problem invalid(String field, String message) {
        return new Problem(
                ProblemCode.INVALID_ARGUMENT, field + ": " + message, null, List.of(new FieldError(field, message)));
    }

    /** A fence that is not the current generation. */
    public static Problem staleGeneration(Fence expected, long current) {
        return new Problem(
                ProblemCode.STALE_GENERATION,
                "expected generation " + expected + ", current generation " + current,
                current,
                List.of());
    }

    public Problem withGeneration(long generation) {
        return new Problem(code, detail, generation, errors);
    }
}
