package io.weighbridge.ledger.http.paging;

import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Gives controllers the {@link PageRequest} of {@code page_size} and {@code page_token}. */
public final class PageRequestArgument implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == PageRequest.class;
    }

    @Override
    public Mono<Object> resolveArgument(
            MethodParameter parameter, BindingContext bindingContext, ServerWebExchange exchange) {
        return Mono.fromCallable(() -> parse(exchange.getRequest().getQueryParams()));
    }

    static PageRequest parse(MultiValueMap<String, String> query) {
        String size = single(query, "page_size");
        String token = single(query, "page_token");
        return new PageRequest(
                size == null ? PageRequest.DEFAULT_SIZE : number(size),
                token == null || token.isEmpty() ? null : token);
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new ProblemException(Problem.invalid("page_size", "must be 1 to " + PageRequest.MAX_SIZE));
        }
    }

    private static @Nullable String single(MultiValueMap<String, String> query, String name) {
        List<String> values = query.get(name);
        if (values != null && values.size() > 1) {
            throw new ProblemException(Problem.invalid(name, "must be given once"));
        }
        return values == null || values.isEmpty() ? null : values.getFirst();
    }
}
