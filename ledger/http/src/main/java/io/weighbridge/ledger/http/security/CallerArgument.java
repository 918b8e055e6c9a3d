package io.weighbridge.ledger.http.security;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import org.springframework.core.MethodParameter;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Gives controllers their {@link Caller}. */
public final class CallerArgument implements HandlerMethodArgumentResolver {

    @Override
    public boolean supportsParameter(MethodParameter parameter) {
        return parameter.getParameterType() == Caller.class;
    }

    @Override
    public Mono<Object> resolveArgument(
            MethodParameter parameter, BindingContext bindingContext, ServerWebExchange exchange) {
        return current()
                .cast(Object.class)
                .switchIfEmpty(Mono.error(() -> new ProblemException(ProblemCode.UNAUTHENTICATED, "no credential")));
    }

    /** The caller of the request that this pipeline serves; empty on public paths. */
    public static Mono<Caller> current() {
        return ReactiveSecurityContextHolder.getContext()
                .mapNotNull(SecurityContext::getAuthentication)
                .ofType(CallerAuthentication.class)
                .map(CallerAuthentication::caller);
    }
}
