package io.weighbridge.ledger.http.fence;

import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Gives controllers the {@link Fence} of {@code If-Match} (spec 5.1). */
public final class FenceArgument implements HandlerMethodArgumentResolver {

    private static final Pattern GENERATION = Pattern.compile("\"([1-9]\\d{0,15})\"");

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Fence.class;
    }

    @Override
    public Mono<Object> resolveArgument(
            MethodParameter parameter, BindingContext bindingContext, ServerWebExchange exchange) {
        IfMatch rule = parameter.getParameterAnnotation(IfMatch.class);
        List<String> values = exchange.getRequest().getHeaders().getOrEmpty(HttpHeaders.IF_MATCH);
        return Mono.fromCallable(() -> parse(values, rule != null && rule.any()));
    }

    /**
     * The fence of the header's values.
     *
     * @param anyAllowed {@code *} is allowed
     * @throws ProblemException PRECONDITION_REQUIRED when absent, INVALID_ARGUMENT for anything but one strong tag
     */
    public static Fence parse(List<String> values, boolean anyAllowed) {
        if (values.isEmpty()) {
            throw new ProblemException(
                    Problem.of(ProblemCode.PRECONDITION_REQUIRED, "needs If-Match: \"<metadata_generation>\""));
        }
        String value = values.getFirst().strip();
        if (values.size() == 1 && value.equals("*")) {
            if (anyAllowed) {
                return new Fence.Any();
            }
            throw new ProblemException(Problem.invalid(HttpHeaders.IF_MATCH, "* is not allowed here"));
        }
        Matcher matcher = GENERATION.matcher(value);
        if (values.size() > 1 || !matcher.matches()) {
            throw new ProblemException(
                    Problem.invalid(HttpHeaders.IF_MATCH, "must be one strong entity tag with a generation, as \"7\""));
        }
        return Fence.exactly(Long.parseLong(matcher.group(1)));
    }
}
