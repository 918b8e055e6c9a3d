package io.weighbridge.metadata.revision;

import io.weighbridge.ledger.http.HttpEdge;
import io.weighbridge.ledger.http.security.BearerTokens;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.http.security.TokenFile;
import io.weighbridge.ledger.store.Writer;
import io.weighbridge.metadata.MetadataService;
import io.weighbridge.testkit.TestLedger;
import io.weighbridge.wire.WireJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The metadata service on a port of its own and a test's ledger, and a plain HTTP client for it. */
final class RunningService implements AutoCloseable {

    static final JsonMapper JSON = WireJson.newMapper();

    /** Services' token: acts across tenants. */
    static final String INTERNAL = BearerTokens.newToken();

    /** Tokens of two tenants with all weights scopes, and of one that may only read. */
    static final String ACME = BearerTokens.newToken();

    static final String ACME_OTHER = BearerTokens.newToken();
    static final String RIVAL = BearerTokens.newToken();
    static final String READER = BearerTokens.newToken();
    static final String OPERATOR = BearerTokens.newToken();

    private final ConfigurableApplicationContext context;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final String base;

    RunningService(TestLedger ledger, String... more) {
        List<String> arguments = new ArrayList<>();
        ledger.properties(Writer.METADATA).forEach((name, value) -> arguments.add("--" + name + "=" + value));
        arguments.add("--server.port=0");
        arguments.add("--weighbridge.security.peer-token-file=" + tokens());
        arguments.add("--weighbridge.nodes.suspect-after=1h");
        arguments.add("--weighbridge.nodes.dead-after=2h");
        arguments.addAll(List.of(more));
        context = MetadataService.builder().run(arguments.toArray(String[]::new));
        base = "http://127.0.0.1:" + HttpEdge.port(context);
    }

    private static Path tokens() {
        try {
            Path file = Files.createTempDirectory("tokens").resolve("peers.json");
            TokenFile.write(
                    file,
                    List.of(
                            TokenFile.Entry.of(INTERNAL, "service/reconciliation", null, Scope.LEDGER_INTERNAL),
                            TokenFile.Entry.of(ACME, "trainer", "acme", Scope.WEIGHTS_WRITE),
                            TokenFile.Entry.of(ACME_OTHER, "other-trainer", "acme", Scope.WEIGHTS_WRITE),
                            TokenFile.Entry.of(RIVAL, "rival", "rival", Scope.WEIGHTS_ADMIN),
                            TokenFile.Entry.of(READER, "reader", "acme", Scope.WEIGHTS_READ),
                            TokenFile.Entry.of(OPERATOR, "operator", "ops", Scope.PLATFORM_ADMIN)));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    URI uri(String path) {
        return URI.create(base + path);
    }

    Request get(String path) {
        return new Request("GET", path);
    }

    Request post(String path) {
        return new Request("POST", path);
    }

    Request put(String path) {
        return new Request("PUT", path);
    }

    Request delete(String path) {
        return new Request("DELETE", path);
    }

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        context.close();
    }

    /** An answer. @param body a missing node when there is none */
    record Answer(int status, Map<String, List<String>> headers, JsonNode body) {

        String code() {
            return body.path("code").asString("");
        }

        String header(String name) {
            return headers.getOrDefault(name, List.of("")).getFirst();
        }
    }

    /** One request in the making. */
    final class Request {

        private final HttpRequest.Builder builder;
        private final String method;
        private @Nullable String body;

        private Request(String method, String path) {
            this.method = method;
            this.builder = HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(70));
        }

        Request as(String token) {
            builder.header("Authorization", "Bearer " + token);
            return this;
        }

        Request ifMatch(long generation) {
            return header("If-Match", "\"" + generation + "\"");
        }

        Request header(String name, String value) {
            builder.header(name, value);
            return this;
        }

        Request body(Object json) {
            body = json instanceof String text ? text : JSON.writeValueAsString(json);
            builder.header("Content-Type", "application/json");
            return this;
        }

        Answer send() {
            return sendAsync().join();
        }

        CompletableFuture<Answer> sendAsync() {
            HttpRequest request = builder.method(
                            method,
                            body == null
                                    ? HttpRequest.BodyPublishers.noBody()
                                    : HttpRequest.BodyPublishers.ofString(body))
                    .build();
            return http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                    .thenApply(response -> new Answer(
                            response.statusCode(),
                            response.headers().map(),
                            response.body().isEmpty() ? JSON.missingNode() : JSON.readTree(response.body())));
        }
    }
}
