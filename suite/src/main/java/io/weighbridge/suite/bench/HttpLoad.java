package io.weighbridge.suite.bench;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** Clients that each keep one request under way, over connections of their own. */
final class HttpLoad implements AutoCloseable {

    private final int clients;
    private final ConnectionProvider connections;
    private final HttpClient http;

    HttpLoad(int clients) {
        this.clients = clients;
        this.connections = ConnectionProvider.create("bench", clients);
        this.http = HttpClient.create(connections);
    }

    /** @param script one round of a client's work; it adds what it has done to a counter */
    double run(Duration duration, IntFunction<Mono<Long>> script) {
        LongAdder done = new LongAdder();
        long start = System.nanoTime();
        long end = start + duration.toNanos();
        Flux.range(0, clients)
                .flatMap(
                        client -> Mono.defer(() -> script.apply(client))
                                .doOnNext(done::add)
                                .repeat(() -> System.nanoTime() - end < 0)
                                .then(),
                        clients)
                .blockLast();
        return done.sum() / ((System.nanoTime() - start) / 1e9);
    }

    /** One request; an answer other than 2xx is an error that ends the run. */
    Mono<String> send(HttpMethod method, String url, Map<String, String> headers, @Nullable String json) {
        return http.headers(h -> {
                    headers.forEach(h::set);
                    if (json != null) {
                        h.set("Content-Type", "application/json");
                    }
                })
                .request(method)
                .uri(url)
                .send(json == null ? Mono.empty() : Mono.just(Unpooled.copiedBuffer(json, StandardCharsets.UTF_8)))
                .responseSingle((response, body) -> body.asString()
                        .defaultIfEmpty("")
                        .flatMap(text -> response.status().code() < 300
                                ? Mono.just(text)
                                : Mono.error(new IllegalStateException(
                                        method + " " + url + ": " + response.status() + " " + text))));
    }

    @Override
    public void close() {
        connections.dispose();
    }
}
