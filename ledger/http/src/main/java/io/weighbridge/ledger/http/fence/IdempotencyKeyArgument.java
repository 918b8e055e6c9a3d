package io.weighbridge.ledger.http.fence;

import org.springframework.core.MethodParameter;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Gives controllers a {@code @Nullable} {@link IdempotencyKey}. */
public final class IdempotencyKeyArgument implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == IdempotencyKey.class;
    }

    @Override
    public Mono<Object> resolveArgument(
            MethodParameter parameter, BindingContext bindingContext, ServerWebExchange exchange) {
        return Mono.defer(() -> Mono.justOrEmpty(
                IdempotencyKey.parse(exchange.getRequest().getHeaders().getOrEmpty(IdempotencyKey.HEADER))));
    }
}
