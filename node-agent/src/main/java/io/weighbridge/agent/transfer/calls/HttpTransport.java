package io.weighbridge.agent.transfer.calls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.weighbridge.agent.flow.BlockingThreads;
import io.weighbridge.agent.tier.ContentDigest;
import io.weighbridge.agent.transfer.Transport;
import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.wire.ProblemBody;
import io.weighbridge.wire.StartTransfers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** By range requests to the source's agent. */
public final class HttpTransport implements Transport, AutoCloseable {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration SILENCE_TIMEOUT = Duration.ofSeconds(10);
    private static final int CONNECTIONS_PER_PEER = 64;
    private static final int READ_BYTES = 256 << 10;
    private static final int BUFFERS_WAITING = 16;
    private static final int OK = 200;
    private static final int PARTIAL = 206;

    private final ConnectionProvider connections;
    private final HttpClient http;
    private final BlockingThreads threads;
    private final JsonMapper json;

    /** @param tls secures the connections to {@code https} sources */
    public HttpTransport(LoopResources loops, UnaryOperator<HttpClient> tls, BlockingThreads threads, JsonMapper json) {
        this.connections = ConnectionProvider.builder("agent-peers")
                .maxConnections(CONNECTIONS_PER_PEER)
                .maxIdleTime(Duration.ofSeconds(30))
                .build();
        HttpClient plain = HttpClient.create(connections)
                .runOn(loops)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT_TIMEOUT.toMillis())
                .option(ChannelOption.RCVBUF_ALLOCATOR, new AdaptiveRecvByteBufAllocator(1024, 64 << 10, READ_BYTES))
                .httpResponseDecoder(decoder -> decoder.maxChunkSize(READ_BYTES))
                .responseTimeout(SILENCE_TIMEOUT);
        this.http = tls.apply(plain);
        this.threads = threads;
        this.json = json;
    }

    @Override
    public String name() {
        return "http";
    }

    @Override
    public boolean reaches(StartTransfers.Source source) {
        return source.url().startsWith("http://") || source.url().startsWith("https://");
    }

    @Override
    public Mono<Void> pull(StartTransfers.Source source, String key, ContentDigest.Span span, Receiver receiver) {
        return http.headers(headers -> headers.set("Read-Lease", source.readLease())
                        .set("Range", "bytes=" + span.from() + "-" + (span.to() - 1)))
                .get()
                .uri(source.url() + "/v1/objects/content?key=" + CanonicalKeys.encode(key))
                .response((response, body) -> receive(response, body, receiver))
                .then();
    }

    private Mono<Void> receive(HttpClientResponse response, ByteBufFlux body, Receiver receiver) {
        int status = response.status().code();
        if (status != OK && status != PARTIAL) {
            return body.aggregate().asString().defaultIfEmpty("").flatMap(text -> Mono.error(refusal(status, text)));
        }
        Consumer<ByteBuf> taker =
                receiver.expecting(checksums(response.responseHeaders().get("Chunk-Crc32c")));
        return body.retain()
                .publishOn(threads.scheduler(), BUFFERS_WAITING)
                .doOnNext(bytes -> {
                    try {
                        taker.accept(bytes);
                    } finally {
                        bytes.release();
                    }
                })
                .doOnDiscard(ByteBuf.class, ByteBuf::release)
                .then();
    }

    private static List<Long> checksums(@Nullable String header) {
        List<Long> checksums = new ArrayList<>();
        if (header != null) {
            for (String hex : header.split(",", -1)) {
                checksums.add(HexFormat.fromHexDigitsToLong(hex.trim()));
            }
        }
        return checksums;
    }

    private ProblemException refusal(int status, String text) {
        try {
            ProblemBody problem = json.readValue(text, ProblemBody.class);
            return new ProblemException(problem.code(), problem.detail());
        } catch (JacksonException e) {
            return new ProblemException(ProblemCode.UNAVAILABLE, "the source answered " + status);
        }
    }

    @Override
    public void close() {
        connections.dispose();
    }
}
