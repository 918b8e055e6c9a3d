package io.weighbridge.ledger.http.problem;

import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.weighbridge.ledger.http.json.JsonProblems;
import io.weighbridge.ledger.http.json.TypeNames;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.codec.CodecException;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.server.MissingRequestValueException;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebInputException;
import tools.jackson.core.JacksonException;

/** What the framework itself answers, as problems. Empty means: nobody foresaw this, it is a defect. */
final class FrameworkProblems {

    private FrameworkProblems() {}

    static Optional<Problem> of(Throwable failure) {
        for (Throwable cause : causes(failure)) {
            Problem problem = known(cause);
            if (problem != null) {
                return Optional.of(problem);
            }
        }
        return failure instanceof ResponseStatusException status ? Optional.of(byStatus(status)) : Optional.empty();
    }

    /** The causes decide before their wrapping: they know the place of the mistake. */
    private static List<Throwable> causes(Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable t = failure; t != null && causes.size() < 16; t = t.getCause()) {
            causes.addFirst(t);
        }
        // A cause below an unforeseen failure is that failure's own affair: an answer of 400 would hide a defect.
        boolean foreseen = failure instanceof ProblemException
                || failure instanceof ResponseStatusException
                || failure instanceof CodecException
                || failure instanceof DataBufferLimitException
                || failure instanceof AuthenticationException
                || failure instanceof AccessDeniedException
                || failure instanceof CallNotPermittedException
                || failure instanceof TimeoutException;
        return foreseen ? causes : List.of();
    }

    private static @Nullable Problem known(Throwable cause) {
        return switch (cause) {
            case ProblemException e -> e.problem();
            case DataBufferLimitException e ->
                Problem.of(ProblemCode.PAYLOAD_TOO_LARGE, "the body is larger than this endpoint takes");
            case JacksonException e -> JsonProblems.of(e);
            case MissingRequestValueException e -> Problem.invalid(e.getName(), "is missing");
            case ServerWebInputException e -> input(e);
            case AuthenticationException e ->
                Problem.of(ProblemCode.UNAUTHENTICATED, "the credential is missing, unknown or expired");
            case AccessDeniedException e ->
                Problem.of(ProblemCode.PERMISSION_DENIED, "the credential does not allow this");
            case CallNotPermittedException e ->
                Problem.of(ProblemCode.UNAVAILABLE, "a needed service has failed repeatedly and rests");
            case TimeoutException e -> Problem.of(ProblemCode.DEADLINE_EXCEEDED, "the time limit passed");
            default -> null;
        };
    }

    private static Problem input(ServerWebInputException e) {
        MethodParameter parameter = e.getMethodParameter();
        if (parameter == null) {
            return Problem.of(ProblemCode.INVALID_ARGUMENT, "the request is malformed");
        }
        if (parameter.hasParameterAnnotation(RequestBody.class)) {
            return Problem.invalid("body", e.getCause() == null ? "is missing" : "is malformed");
        }
        return Problem.invalid(RequestNames.of(parameter), typeMismatch(e, parameter.getNestedParameterType()));
    }

    private static String typeMismatch(ServerWebInputException e, Class<?> type) {
        if (type.isEnum()) {
            return "must be one of " + Arrays.toString(type.getEnumConstants());
        }
        return e.getCause() == null ? "is malformed" : "is not a valid " + TypeNames.of(type);
    }

    private static Problem byStatus(ResponseStatusException e) {
        ProblemCode code = ProblemStatus.codeFor(e.getStatusCode().value());
        String detail = switch (code) {
            case NOT_FOUND -> "no such resource";
            case METHOD_NOT_ALLOWED -> "the resource does not have this method";
            case NOT_ACCEPTABLE -> "no representation is acceptable to the caller";
            case UNSUPPORTED_MEDIA_TYPE -> "the body's media type is not understood";
            case PAYLOAD_TOO_LARGE -> "the body is larger than this endpoint takes";
            default -> ProblemBodies.title(code).toLowerCase(Locale.ROOT);
        };
        return Problem.of(code, detail);
    }
}
