package io.weighbridge.wire;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.Retry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * RFC 9457 {@code application/problem+json} (spec 5.1).
 *
 * @param type a URI that names the kind of problem
 * @param currentGeneration the generation to refresh to, where it helps
 * @param errors offending fields or names
 */
public record ProblemBody(
        String type,
        String title,
        int status,
        String detail,
        ProblemCode code,
        Retry retry,
        @Nullable Long currentGeneration,
        List<ProblemBody.FieldError> errors,
        @Nullable String traceId) {

    /** One offending field or name. */
    public record FieldError(String field, String message) {}
}
