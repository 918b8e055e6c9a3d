package io.weighbridge.agent;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOption;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerResponse;

/** A peer that misbehaves as the test wants. */
final class FakeSource implements AutoCloseable {

    private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d+)");

    enum Fault {
        /** Promises the range and closes after half of it. */
        BREAKS_OFF,
        /** Sends other bytes. */
        LIES,
        /** Sends a byte now and then. */
        TRICKLES,
        /** Accepts the request and is silent. */
        SILENT
    }

    final AtomicInteger requests = new AtomicInteger();
    final AtomicInteger open = new AtomicInteger();

    private final DisposableServer server;
    private final byte[] bytes;

    FakeSource(Fault fault, byte[] bytes) {
        this.bytes = bytes;
        this.server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .childOption(ChannelOption.SO_SNDBUF, 64 << 10)
                .handle((request, response) -> {
                    requests.incrementAndGet();
                    open.incrementAndGet();
                    String range = request.requestHeaders().get("Range");
                    return answer(fault, range, response).doFinally(signal -> open.decrementAndGet());
                })
                .bindNow();
    }

    String url() {
        return "http://127.0.0.1:" + server.port();
    }

    private Mono<Void> answer(Fault fault, String range, HttpServerResponse response) {
        Matcher matcher = RANGE.matcher(range);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(range);
        }
        int from = Integer.parseInt(matcher.group(1));
        int length = Integer.parseInt(matcher.group(2)) + 1 - from;
        HttpServerResponse begun = response.status(206).header("Content-Length", Integer.toString(length));
        return switch (fault) {
            case BREAKS_OFF ->
                begun.send(Flux.concat(
                                Mono.just(Unpooled.wrappedBuffer(bytes, from, length / 2)),
                                Mono.error(new IllegalStateException("as the test wants"))))
                        .then();
            case LIES ->
                begun.send(Mono.just(Unpooled.wrappedBuffer(new byte[length]))).then();
            case TRICKLES ->
                begun.send(
                                Flux.interval(Duration.ofMillis(20))
                                        .map(tick -> Unpooled.wrappedBuffer(bytes, from + tick.intValue(), 1)),
                                bytesSent -> true)
                        .then();
            case SILENT -> Mono.never();
        };
    }

    @Override
    public void close() {
        server.disposeNow(Duration.ofSeconds(1));
    }
}
