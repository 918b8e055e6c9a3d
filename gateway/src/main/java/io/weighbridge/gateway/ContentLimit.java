package io.weighbridge.gateway;

import static org.springframework.cloud.gateway.support.ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import org.reactivestreams.Publisher;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.util.unit.DataSize;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Payload bytes do not pass through the gateway: larger contents are refused with the agent's own URL (spec 5). */
final class ContentLimit implements GatewayFilter, Ordered {

    private final DataSize limit;

    ContentLimit(DataSize limit) {
        this.limit = limit;
    }

    @Override
    public int getOrder() {
        return AgentAddress.ORDER + 1;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
        if (exchange.getRequest().getHeaders().getContentLength() > limit.toBytes()) {
            return Mono.error(tooLarge(exchange));
        }
        ServerHttpResponseDecorator limited = new ServerHttpResponseDecorator(exchange.getResponse()) {
            @Override
            public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
                return getHeaders().getContentLength() > limit.toBytes()
                        ? Mono.from(body).then(Mono.error(tooLarge(exchange)))
                        : super.writeWith(body);
            }
        };
        return chain.filter(exchange.mutate().response(limited).build());
    }

    private ProblemException tooLarge(ServerWebExchange exchange) {
        return new ProblemException(
                ProblemCode.PAYLOAD_TOO_LARGE,
                "contents over " + limit.toMegabytes() + " MiB do not pass through the gateway; use "
                        + exchange.getAttribute(GATEWAY_REQUEST_URL_ATTR));
    }
}
