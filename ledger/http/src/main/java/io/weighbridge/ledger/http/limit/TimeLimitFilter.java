package io.weighbridge.ledger.http.limit;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.time.Duration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.Order;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Ends requests that take too long with DEADLINE_EXCEEDED. The endpoint's own word is asked when the time is up: only
 * then is it known which endpoint it is.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 20)
public final class TimeLimitFilter implements WebFilter {

    private final Duration limit;

    public TimeLimitFilter(Duration limit) {
        this.limit = limit;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        Mono<Long> timeIsUp = Mono.delay(limit).flatMap(tick -> isBounded(exchange) ? Mono.just(tick) : Mono.never());
        return chain.filter(exchange)
                .timeout(
                        timeIsUp,
                        Mono.error(() -> new ProblemException(
                                ProblemCode.DEADLINE_EXCEEDED, "took longer than " + limit.toMillis() + " ms")));
    }

    private static boolean isBounded(ServerWebExchange exchange) {
        Object handler = exchange.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE);
        return !(handler instanceof HandlerMethod method)
                || !(method.hasMethodAnnotation(LongRunning.class)
                        || AnnotatedElementUtils.hasAnnotation(method.getBeanType(), LongRunning.class));
    }
}
