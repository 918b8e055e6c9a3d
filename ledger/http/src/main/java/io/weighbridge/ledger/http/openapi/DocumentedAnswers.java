package io.weighbridge.ledger.http.openapi;

import static io.weighbridge.ledger.problem.ProblemCode.DEADLINE_EXCEEDED;
import static io.weighbridge.ledger.problem.ProblemCode.INTERNAL;
import static io.weighbridge.ledger.problem.ProblemCode.INVALID_ARGUMENT;
import static io.weighbridge.ledger.problem.ProblemCode.NOT_FOUND;
import static io.weighbridge.ledger.problem.ProblemCode.PAYLOAD_TOO_LARGE;
import static io.weighbridge.ledger.problem.ProblemCode.PERMISSION_DENIED;
import static io.weighbridge.ledger.problem.ProblemCode.PRECONDITION_REQUIRED;
import static io.weighbridge.ledger.problem.ProblemCode.STALE_GENERATION;
import static io.weighbridge.ledger.problem.ProblemCode.UNAUTHENTICATED;
import static io.weighbridge.ledger.problem.ProblemCode.UNAVAILABLE;
import static io.weighbridge.ledger.problem.ProblemCode.UNSUPPORTED_MEDIA_TYPE;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import io.weighbridge.ledger.http.problem.ProblemStatus;
import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.problem.ProblemCode;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.method.HandlerMethod;

/** Successes by {@link Answers}, refusals by {@link Refusals} and by what every endpoint may answer. */
final class DocumentedAnswers implements GlobalOperationCustomizer {

    private static final Schema<?> PROBLEM = new Schema<>().$ref("#/components/schemas/ProblemBody");

    @Override
    public Operation customize(Operation operation, HandlerMethod method) {
        operation.setTags(
                operation.getTags().stream().map(DocumentedAnswers::tag).toList());
        if (Objects.equals(operation.getDescription(), operation.getSummary())) {
            operation.setDescription(null);
        }
        if (operation.getSummary() != null) {
            operation.setSummary(operation.getSummary().replaceFirst("\\.$", ""));
        }
        ApiResponses answers = operation.getResponses();
        successes(answers, method.getMethodAnnotation(Answers.class));
        TreeMap<Integer, Set<ProblemCode>> byStatus = new TreeMap<>();
        for (ProblemCode code : refusals(method)) {
            byStatus.computeIfAbsent(ProblemStatus.of(code), status -> EnumSet.noneOf(ProblemCode.class))
                    .add(code);
        }
        byStatus.forEach((status, codes) -> answers.addApiResponse(status.toString(), reasons(codes)));
        return operation;
    }

    /** {@code revision-controller} is a class; callers know the subject. */
    static String tag(String controller) {
        return controller.replaceFirst("-controller$", "");
    }

    static String reference(ProblemCode code) {
        return "#/components/responses/" + code;
    }

    private static void successes(ApiResponses answers, @Nullable Answers statuses) {
        ApiResponse success = answers.remove("200");
        if (success == null) {
            return;
        }
        success.setDescription("done");
        if (statuses == null) {
            answers.addApiResponse("200", success);
            return;
        }
        for (int status : statuses.value()) {
            answers.addApiResponse(
                    Integer.toString(status),
                    status == 304 || status == 204
                            ? new ApiResponse().description(status == 304 ? "not modified" : "done")
                            : success);
        }
    }

    private static Set<ProblemCode> refusals(HandlerMethod method) {
        Set<ProblemCode> codes = EnumSet.of(
                INVALID_ARGUMENT, UNAUTHENTICATED, PERMISSION_DENIED, INTERNAL, UNAVAILABLE, DEADLINE_EXCEEDED);
        Arrays.stream(method.getMethodParameters()).forEach(argument -> {
            if (argument.hasParameterAnnotation(RequestBody.class)) {
                codes.addAll(EnumSet.of(PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE));
            }
            if (argument.hasParameterAnnotation(PathVariable.class)) {
                codes.add(NOT_FOUND);
            }
            if (argument.getParameterType() == Fence.class) {
                codes.addAll(EnumSet.of(PRECONDITION_REQUIRED, STALE_GENERATION));
            }
        });
        Refusals own = method.getMethodAnnotation(Refusals.class);
        if (own != null) {
            codes.addAll(List.of(own.value()));
        }
        return codes;
    }

    /** One reason is shared by reference, several are told apart in the operation's own words. */
    private static ApiResponse reasons(Set<ProblemCode> codes) {
        return codes.size() == 1
                ? new ApiResponse().$ref(reference(codes.iterator().next()))
                : refusal(codes);
    }

    static ApiResponse refusal(Set<ProblemCode> codes) {
        ApiResponse answer = new ApiResponse()
                .description(codes.stream().map(Enum::name).collect(Collectors.joining(", ")))
                .content(new Content()
                        .addMediaType(
                                org.springframework.http.MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                                new MediaType().schema(PROBLEM)));
        if (codes.stream().anyMatch(ProblemStatus::hasRetryAfter)) {
            answer.addHeaderObject(
                    HttpHeaders.RETRY_AFTER, new Header().description("seconds").schema(new IntegerSchema()));
        }
        return answer;
    }
}
