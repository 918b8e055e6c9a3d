package io.weighbridge.gateway;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.NettyWriteResponseFilter;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.util.unit.DataSize;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Bounds an answer's body: a peer that falls silent within it ends it, and contents of agents have a largest size. */
final class AnswerBody implements GatewayFilter, Ordered {

    private final Duration silence;
    private final @Nullable DataSize limit;

    AnswerBody(Duration silence, @Nullable DataSize limit) {
        this.silence = silence;
        this.limit = limit;
    }

    /** Around the filter that copies the peer's body into the answer. */
    @Override
    public int getOrder() {
        return NettyWriteResponseFilter.WRITE_RESPONSE_FILTER_ORDER - 1;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
        ServerHttpResponseDecorator bounded = new ServerHttpResponseDecorator(exchange.getResponse()) {
            @Override
            public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
                Flux<DataBuffer> flowing = Flux.<DataBuffer>from(body).timeout(silence);
                if (limit == null || exchange.getRequest().getMethod() == HttpMethod.HEAD) {
                    return super.writeWith(flowing);
                }
                if (getHeaders().getContentLength() > limit.toBytes()) {
                    // They describe the content that is not sent.
                    getHeaders().clear();
                    return Mono.error(ContentLimit.exceeded(exchange, limit));
                }
                return super.writeWith(ContentLimit.counted(flowing, limit, exchange));
            }

            /** Events: without end, but with heartbeats. */
            @Override
            public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
                return super.writeAndFlushWith(
                        Flux.<Publisher<? extends DataBuffer>>from(body).timeout(silence));
            }
        };
        return chain.filter(exchange.mutate().response(bounded).build());
    }
}
