package io.weighbridge.metadata.world;

import io.weighbridge.ledger.http.HttpEdge;
import io.weighbridge.ledger.http.security.BearerTokens;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.http.security.TokenFile;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.store.Randomness;
import io.weighbridge.ledger.store.Writer;
import io.weighbridge.metadata.MetadataService;
import io.weighbridge.testkit.TestLedger;
import io.weighbridge.wire.ProblemBody;
import io.weighbridge.wire.WireJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.json.JsonMapper;

/** The service under test: real HTTP, real PostgreSQL. */
public final class MetadataWorld implements AutoCloseable {

    /** A service's own credential. */
    public static final String INTERNAL = BearerTokens.newToken();

    /** An operator's credential, across tenants. */
    public static final String OPERATOR = BearerTokens.newToken();

    private static final JsonMapper JSON = WireJson.newMapper();
    private static final int AGENTS = 16;
    private static final List<String> AGENT_TOKENS = new ArrayList<>();

    static {
        for (int i = 0; i < AGENTS; i++) {
            AGENT_TOKENS.add(BearerTokens.newToken());
        }
    }

    private final HttpClient http = HttpClient.newHttpClient();
    private final TestLedger ledger;
    private final ConfigurableApplicationContext context;
    private int agents;

    public MetadataWorld(TestLedger ledger, String... properties) {
        this.ledger = ledger;
        Map<String, Object> settings = new HashMap<>(ledger.properties(Writer.METADATA));
        settings.put("server.port", "0");
        settings.put("weighbridge.security.peer-token-file", peers().toString());
        for (String property : properties) {
            int equals = property.indexOf('=');
            settings.put(property.substring(0, equals), property.substring(equals + 1));
        }
        String[] arguments = settings.entrySet().stream()
                .map(entry -> "--" + entry.getKey() + "=" + entry.getValue())
                .toArray(String[]::new);
        this.context = MetadataService.builder().run(arguments);
    }

    private static Path peers() {
        try {
            Path file = Files.createTempFile("peers", ".json");
            file.toFile().deleteOnExit();
            List<TokenFile.Entry> entries = new ArrayList<>();
            entries.add(TokenFile.Entry.of(INTERNAL, "service/reconciliation", null, Scope.LEDGER_INTERNAL));
            entries.add(TokenFile.Entry.of(OPERATOR, "operator", "default", Scope.PLATFORM_ADMIN));
            for (int i = 0; i < AGENTS; i++) {
                entries.add(TokenFile.Entry.of(AGENT_TOKENS.get(i), "node/" + i, null, Scope.NODES_AGENT));
            }
            TokenFile.write(file, entries);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A new agent with credential and key, not registered yet. */
    public FakeAgent agent() {
        int number = agents++;
        UUID nodeId = Randomness.id();
        ledger.sql(
                "INSERT INTO lease.node_key (node_id, version, secret, subject, created_at) VALUES (?, 1, ?, ?, now())",
                nodeId,
                Randomness.bytes(32),
                "node/" + number);
        return new FakeAgent(this, nodeId, "node/" + number, AGENT_TOKENS.get(number));
    }

    /** The one number that a query answers. */
    public long number(String sql, Object... values) {
        Object value = ledger.rows(sql, values).getFirst().values().iterator().next();
        return Objects.requireNonNull((Number) value).longValue();
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public TestLedger ledger() {
        return ledger;
    }

    /** An answer, whatever its status. */
    public record Answer(int status, String body) {

        /** The body of a success; fails for a refusal. */
        public <T> T as(Class<T> type) {
            if (status >= 300) {
                throw new AssertionError(status + " " + body);
            }
            return JSON.readValue(body, type);
        }

        /** The code of a refusal. */
        public ProblemCode code() {
            if (status < 400) {
                throw new AssertionError("a refusal was expected: " + status + " " + body);
            }
            return JSON.readValue(body, ProblemBody.class).code();
        }
    }

    /** @param headers names and values in turn; no credential means the anonymous local caller */
    public Answer post(String path, @Nullable Object body, String... headers) {
        return postLater(path, body, headers).join();
    }

    public CompletableFuture<Answer> postLater(String path, @Nullable Object body, String... headers) {
        return send(request(path, headers)
                .header("Content-Type", "application/json")
                .POST(
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
                .build());
    }

    public Answer get(String path, String... headers) {
        return send(request(path, headers).GET().build()).join();
    }

    public Answer delete(String path, String... headers) {
        return send(request(path, headers).DELETE().build()).join();
    }

    private HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + HttpEdge.port(context) + path));
        return headers.length == 0 ? request : request.headers(headers);
    }

    private CompletableFuture<Answer> send(HttpRequest request) {
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .thenApply(response -> new Answer(response.statusCode(), response.body()));
    }

    /** Waits until something is so, at most ten seconds. */
    public static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("has not come true in 10 s: " + what);
            }
            LockSupport.parkNanos(5_000_000L);
        }
    }

    @Override
    public void close() {
        context.close();
        http.close();
    }
}
