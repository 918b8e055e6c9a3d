package io.weighbridge.gateway;

import io.netty.handler.codec.http.HttpHeaders;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/** A stand-in for a service or an agent: it answers what the test says and remembers what it was asked. */
final class StandIn implements AutoCloseable {

    /** What the test wants to be answered. */
    interface Answer extends BiFunction<HttpServerRequest, HttpServerResponse, Publisher<Void>> {}

    /** One request. */
    record Seen(String method, String uri, HttpHeaders headers) {}

    private final String name;
    private final AtomicInteger closed = new AtomicInteger();
    private final ConcurrentLinkedQueue<Seen> seen = new ConcurrentLinkedQueue<>();
    private final DisposableServer server;
    private volatile Answer answer;

    StandIn(String name) {
        this(name, 0);
    }

    StandIn(String name, int port) {
        this.name = name;
        this.answer = this::echo;
        this.server = HttpServer.create()
                .host("127.0.0.1")
                .port(port)
                .doOnConnection(connection -> connection.onDispose(closed::incrementAndGet))
                .handle((request, response) -> {
                    seen.add(new Seen(
                            request.method().name(),
                            request.uri(),
                            request.requestHeaders().copy()));
                    return answer.apply(request, response);
                })
                .bindNow();
    }

    static Answer json(int status, String body) {
        return (request, response) -> response.status(status)
                .header("Content-Type", status < 400 ? "application/json" : "application/problem+json")
                .sendString(Mono.just(body));
    }

    void answers(Answer next) {
        answer = next;
    }

    void echoes() {
        answer = this::echo;
        seen.clear();
    }

    int port() {
        return server.port();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + port());
    }

    List<Seen> seen() {
        return List.copyOf(seen);
    }

    /** The latest request. */
    Seen last() {
        return seen().getLast();
    }

    /** Connections that were closed. */
    int closed() {
        return closed.get();
    }

    private Publisher<Void> echo(HttpServerRequest request, HttpServerResponse response) {
        return request.receive()
                .aggregate()
                .map(bytes -> bytes.readableBytes())
                .defaultIfEmpty(0)
                .flatMap(bytes -> Mono.from(response.header("Content-Type", "application/json")
                        .sendByteArray(Mono.just((name + " " + request.method() + " " + request.uri() + " " + bytes)
                                .getBytes(StandardCharsets.UTF_8)))
                        .then()));
    }

    /** Looks until it is so; ten seconds at most. */
    static void await(String what, BooleanSupplier isSo) {
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (!isSo.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(what + " did not come true within ten seconds");
            }
            Mono.delay(Duration.ofMillis(10)).block();
        }
    }

    @Override
    public void close() {
        server.disposeNow();
    }
}
