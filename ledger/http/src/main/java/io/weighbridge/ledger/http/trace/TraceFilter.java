package io.weighbridge.ledger.http.trace;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Takes up the caller's trace, or begins one, before anything else sees the request. */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class TraceFilter implements WebFilter {

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        TraceContext trace = TraceContext.of(exchange);
        return chain.filter(exchange).contextWrite(context -> context.put(TraceContext.CONTEXT_KEY, trace));
    }
}
