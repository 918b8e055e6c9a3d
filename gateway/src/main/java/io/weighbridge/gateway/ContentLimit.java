package io.weighbridge.gateway;

import static org.springframework.cloud.gateway.support.ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.unit.DataSize;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Payload bytes do not pass through the gateway: larger uploads are refused with the agent's own URL (spec 5). */
final class ContentLimit implements GatewayFilter, Ordered {

    private static final String EXCEEDED = ContentLimit.class.getName();

    private final DataSize limit;

    ContentLimit(DataSize limit) {
        this.limit = limit;
    }

    /** Closest to the peer: a caller's body that is too large is no failure of the peer's. */
    @Override
    public int getOrder() {
        return Target.ORDER + 3;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
        if (exchange.getRequest().getHeaders().getContentLength() > limit.toBytes()) {
            return Mono.error(exceeded(exchange, limit));
        }
        ServerHttpRequestDecorator counted = new ServerHttpRequestDecorator(exchange.getRequest()) {
            @Override
            public Flux<DataBuffer> getBody() {
                return counted(super.getBody(), limit, exchange);
            }
        };
        // The connection breaks as a consequence; the caller is told the cause.
        return chain.filter(exchange.mutate().request(counted).build())
                .onErrorMap(
                        broken -> exchange.getAttribute(EXCEEDED) instanceof ProblemException cause ? cause : broken);
    }

    /** The same bytes, or PAYLOAD_TOO_LARGE once they are too many. */
    static Flux<DataBuffer> counted(Flux<DataBuffer> body, DataSize limit, ServerWebExchange exchange) {
        return Flux.defer(() -> {
            long[] bytes = {0};
            return body.handle((buffer, sink) -> {
                bytes[0] += buffer.readableByteCount();
                if (bytes[0] > limit.toBytes()) {
                    DataBufferUtils.release(buffer);
                    ProblemException cause = exceeded(exchange, limit);
                    exchange.getAttributes().put(EXCEEDED, cause);
                    sink.error(cause);
                } else {
                    sink.next(buffer);
                }
            });
        });
    }

    static ProblemException exceeded(ServerWebExchange exchange, DataSize limit) {
        return new ProblemException(
                ProblemCode.PAYLOAD_TOO_LARGE,
                "contents over " + limit.toMegabytes() + " MiB do not pass through the gateway; use "
                        + exchange.getAttribute(GATEWAY_REQUEST_URL_ATTR));
    }
}
