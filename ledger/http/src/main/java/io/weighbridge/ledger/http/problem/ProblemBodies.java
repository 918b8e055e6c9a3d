package io.weighbridge.ledger.http.problem;

import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.wire.ProblemBody;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Problems as bodies on the wire, and back. */
public final class ProblemBodies {

    private static final String TYPE_PREFIX = "urn:weighbridge:problem:";

    private ProblemBodies() {}

    /** The body of a refusal; {@code traceId} is the request's trace where there is one. */
    public static ProblemBody of(Problem problem, @Nullable String traceId) {
        ProblemCode code = problem.code();
        return new ProblemBody(
                type(code),
                title(code),
                ProblemStatus.of(code),
                problem.detail(),
                code,
                code.retry(),
                problem.currentGeneration(),
                problem.errors().stream()
                        .map(error -> new ProblemBody.FieldError(error.field(), error.message()))
                        .toList(),
                traceId);
    }

    /** The refusal that another service's body tells of. */
    public static Problem toProblem(ProblemBody body) {
        List<Problem.FieldError> errors = body.errors().stream()
                .map(error -> new Problem.FieldError(error.field(), error.message()))
                .toList();
        return new Problem(body.code(), body.detail(), body.currentGeneration(), errors);
    }

    /** Such as {@code urn:weighbridge:problem:stale-generation}. */
    public static String type(ProblemCode code) {
        return TYPE_PREFIX + code.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Such as {@code Stale generation}. */
    public static String title(ProblemCode code) {
        String words = code.name().replace('_', ' ');
        return words.charAt(0) + words.substring(1).toLowerCase(Locale.ROOT);
    }
}
