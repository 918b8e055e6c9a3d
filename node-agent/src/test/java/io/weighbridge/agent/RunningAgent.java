package io.weighbridge.agent;

import io.weighbridge.agent.registration.application.NodeIdentity;
import io.weighbridge.agent.registration.application.NodeLife;
import io.weighbridge.agent.tier.Segment;
import io.weighbridge.agent.tier.Segments;
import io.weighbridge.ledger.http.HttpEdge;
import io.weighbridge.ledger.http.security.BearerTokens;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.http.security.TokenFile;
import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.wire.WireJson;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.springframework.context.ConfigurableApplicationContext;

/** One agent in this process, with a client that talks to it over sockets. */
final class RunningAgent implements AutoCloseable {

    static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    private final ConfigurableApplicationContext context;
    private final String control;

    private RunningAgent(ConfigurableApplicationContext context, String control) {
        this.context = context;
        this.control = control;
    }

    /** Starts one and waits until it is ready. */
    static RunningAgent start(FakeLedger ledger, Path home, String... more) throws Exception {
        RunningAgent agent = startOnly(ledger, home, more);
        await("the agent is ready", agent::isReady);
        return agent;
    }

    static RunningAgent startOnly(FakeLedger ledger, Path home, String... more) throws IOException {
        String control = BearerTokens.newToken();
        Path peers = home.resolve("peers.json");
        java.nio.file.Files.createDirectories(home);
        TokenFile.write(
                peers, List.of(TokenFile.Entry.of(control, "service/reconciliation", null, Scope.LEDGER_INTERNAL)));
        Map<String, String> arguments = new LinkedHashMap<>();
        List<String> usual = List.of(
                "--server.port=0",
                "--weighbridge.services.metadata=" + ledger.url(),
                "--weighbridge.services.lease=" + ledger.url(),
                "--weighbridge.security.peer-token-file=" + peers,
                "--weighbridge.security.own-token=" + BearerTokens.newToken(),
                "--weighbridge.agent.state-dir=" + home.resolve("state"),
                "--weighbridge.agent.disk-dir=" + home.resolve("disk"),
                "--weighbridge.agent.memory-bytes=64MB",
                "--weighbridge.agent.disk-bytes=64MB",
                "--weighbridge.agent.threads=8");
        Stream.concat(usual.stream(), Stream.of(more))
                .forEach(argument -> arguments.put(argument.substring(0, argument.indexOf('=')), argument));
        return new RunningAgent(NodeAgent.builder().run(arguments.values().toArray(String[]::new)), control);
    }

    boolean isReady() {
        return context.getBean(NodeLife.class).isReady();
    }

    UUID nodeId() {
        return context.getBean(NodeIdentity.class).nodeId();
    }

    Segments segments() {
        return context.getBean(Segments.class);
    }

    Segment store(Tier tier) {
        return segments().all().stream()
                .filter(segment -> segment.identity().tier() == tier)
                .findFirst()
                .orElseThrow();
    }

    UUID segment(Tier tier) {
        return store(tier).identity().segmentId();
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    int port() {
        return HttpEdge.port(context);
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    URI content(String key) {
        return URI.create(url() + "/v1/objects/content?key=" + CanonicalKeys.encode(key));
    }

    HttpResponse<String> put(FakeLedger.Put put, long offset, byte[] bytes) throws Exception {
        return put(put, offset, HttpRequest.BodyPublishers.ofByteArray(bytes));
    }

    HttpResponse<String> put(FakeLedger.Put put, long offset, HttpRequest.BodyPublisher body) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create(content(put.key()) + "&offset=" + offset))
                        .timeout(Duration.ofSeconds(60))
                        .header("Write-Token", put.token())
                        .PUT(body)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<Void> head(FakeLedger.Put put) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(content(put.key()))
                        .header("Write-Token", put.token())
                        .HEAD()
                        .build(),
                HttpResponse.BodyHandlers.discarding());
    }

    HttpResponse<byte[]> get(String key, String lease, String... headers) throws Exception {
        return CLIENT.send(getRequest(key, lease, headers), HttpResponse.BodyHandlers.ofByteArray());
    }

    HttpResponse<InputStream> stream(String key, String lease, String... headers) throws Exception {
        return CLIENT.send(getRequest(key, lease, headers), HttpResponse.BodyHandlers.ofInputStream());
    }

    private HttpRequest getRequest(String key, String lease, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(content(key))
                .timeout(Duration.ofSeconds(60))
                .header("Read-Lease", lease);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request.build();
    }

    /** A call of the control plane. */
    HttpResponse<String> control(String method, String path, Object body) throws Exception {
        String text =
                body instanceof String string ? string : WireJson.newMapper().writeValueAsString(body);
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create(url() + path))
                        .timeout(Duration.ofSeconds(60))
                        .header("Authorization", "Bearer " + control)
                        .header("Content-Type", "application/json")
                        .method(
                                method,
                                text.isEmpty()
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofString(text))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    static <T> T read(HttpResponse<String> response, Class<T> type) {
        return WireJson.newMapper().readValue(response.body(), type);
    }

    /** Polls until it is so, at most a minute. */
    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within a minute: " + what);
            }
            Thread.sleep(5);
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
