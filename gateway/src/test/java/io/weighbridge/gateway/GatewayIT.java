package io.weighbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.http.HttpEdge;
import io.weighbridge.ledger.vocabulary.NodeState;
import io.weighbridge.wire.NodePage;
import io.weighbridge.wire.NodeView;
import io.weighbridge.wire.ProblemBody;
import io.weighbridge.wire.WireJson;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import tools.jackson.databind.json.JsonMapper;

/** Every promise of the one door, between stand-in services and a stand-in agent on real ports. */
class GatewayIT {

    private static final JsonMapper JSON = WireJson.newMapper();
    private static final UUID NODE = UUID.fromString("0b6c1f6e-2f5f-4f8e-9b8e-6c2f3c1f0a11");
    private static final UUID DEAD_NODE = UUID.fromString("0b6c1f6e-2f5f-4f8e-9b8e-6c2f3c1f0a12");
    private static final String REVISION = "a".repeat(64);
    private static final int MIB = 1 << 20;

    private static final StandIn METADATA = new StandIn("metadata");
    private static final StandIn LEASE = new StandIn("lease");
    private static final StandIn RECONCILIATION = new StandIn("reconciliation");
    private static final StandIn AGENT = new StandIn("agent");
    private static ConfigurableApplicationContext gateway;
    private static HttpClient client;
    private static String origin;

    @BeforeAll
    static void start() {
        gateway = Gateway.builder()
                .run(
                        "--server.port=0",
                        "--weighbridge.services.metadata=" + METADATA.url(),
                        "--weighbridge.services.lease=" + LEASE.url(),
                        "--weighbridge.services.reconciliation=" + RECONCILIATION.url(),
                        "--weighbridge.gateway.answer-timeout=700ms",
                        "--weighbridge.gateway.long-answer-timeout=2500ms");
        origin = "http://127.0.0.1:" + HttpEdge.port(gateway);
        client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    @AfterAll
    static void stop() {
        gateway.close();
        List.of(METADATA, LEASE, RECONCILIATION, AGENT).forEach(StandIn::close);
    }

    @BeforeEach
    void everyoneEchoes() {
        List.of(LEASE, RECONCILIATION, AGENT).forEach(StandIn::echoes);
        METADATA.echoes();
        METADATA.answers((request, response) -> request.uri().startsWith("/v1/nodes?page_size=1000")
                ? StandIn.json(200, nodes()).apply(request, response)
                : StandIn.json(200, "metadata " + request.method() + " " + request.uri())
                        .apply(request, response));
    }

    private static String nodes() {
        return JSON.writeValueAsString(new NodePage(
                List.of(node(NODE, AGENT.url().toString()), node(DEAD_NODE, "http://127.0.0.1:" + closedPort())),
                null));
    }

    private static NodeView node(UUID id, String url) {
        return new NodeView(id, id, url, Map.of(), NodeState.LIVE, null, Instant.EPOCH, List.of());
    }

    private static int closedPort() {
        return CLOSED_PORT;
    }

    private static final int CLOSED_PORT = free();

    private static int free() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(origin + path)).timeout(Duration.ofSeconds(20));
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }

    private static ProblemBody problem(HttpResponse<String> answer) {
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        return JSON.readValue(answer.body(), ProblemBody.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            metadata       | POST   | /v1/revisions/imports
            metadata       | GET    | /v1/revisions
            metadata       | GET    | /v1/revisions/lookup?namespace=a&resource_id=b%2Fc&revision=1&weight_generation=2
            metadata       | POST   | /v1/revisions/R/commit
            metadata       | POST   | /v1/revisions/R/heartbeat
            metadata       | DELETE | /v1/revisions/R?wait_for_leases=true&drain_ms=5
            metadata       | GET    | /v1/revisions/R/members
            metadata       | GET    | /v1/revisions/R/diagnosis
            metadata       | POST   | /v1/revisions/R/residency
            metadata       | PUT    | /v1/revisions/R/placement
            metadata       | GET    | /v1/operations
            metadata       | POST   | /v1/operations/R/cancel
            metadata       | POST   | /v1/objects/put-start
            metadata       | POST   | /v1/objects/exists
            metadata       | GET    | /v1/objects/diagnosis?key=weight%3Aa%252Fb
            metadata       | POST   | /v1/nodes
            metadata       | POST   | /v1/nodes/R/heartbeat
            metadata       | GET    | /v1/nodes/R/segments
            metadata       | GET    | /v1/feed?after=start
            metadata       | GET    | /v1/snapshot
            metadata       | GET    | /v1/namespaces
            metadata       | GET    | /v1/resources?namespace=a
            metadata       | PUT    | /v1/retention-policies
            metadata       | PUT    | /v1/quotas/acme
            lease          | POST   | /v1/revisions/R/leases
            lease          | GET    | /v1/revisions/R/leases
            lease          | GET    | /v1/revisions/R/manifest
            lease          | POST   | /v1/leases/R/renew
            lease          | DELETE | /v1/leases/R
            lease          | POST   | /v1/leases/acquire
            lease          | POST   | /v1/objects/locate
            lease          | POST   | /v1/pages/resolve
            lease          | GET    | /v1/read-lease-keys
            reconciliation | GET    | /v1/reconciler/status
            reconciliation | POST   | /v1/engine-groups
            reconciliation | GET    | /v1/engines/R/ranks
            reconciliation | POST   | /v1/engines/R/permit
            reconciliation | POST   | /v1/update-cycles
            reconciliation | POST   | /v1/update-cycles/R/votes
            agent          | GET    | /nodes/N/v1/node
            agent          | POST   | /nodes/N/v1/transfers
            agent          | GET    | /nodes/N/v1/objects/content?key=a%2Fb%2520%5B&offset=0
            """)
    void everyPathFamilyGoesToItsOwner(String owner, String method, String template) throws Exception {
        String path = template.replace("/R", "/" + REVISION).replace("/N/", "/" + NODE + "/");
        HttpResponse<String> answer = client.send(
                request(path)
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).startsWith(owner + " " + method + " " + path.replace("/nodes/" + NODE, ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "key=%2F",
                "key=a%2fb",
                "key=%25",
                "key=[a]%2Fb",
                "key=a+b%20c",
                "key=%C3%A4%F0%9F%98%80",
                "key=a%00b",
                "key=;&&key==%26",
                "key=%ff"
            })
    void aQueryArrivesByteForByte(String query) throws Exception {
        try (Socket socket = new Socket("127.0.0.1", HttpEdge.port(gateway))) {
            socket.getOutputStream()
                    .write(("GET /nodes/" + NODE + "/v1/objects/content?" + query
                                    + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200");
        }
        assertThat(AGENT.last().uri()).isEqualTo("/v1/objects/content?" + query);
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/internal/work, 403, PERMISSION_DENIED",
        "/v1/internal, 403, PERMISSION_DENIED",
        "/v1/%69nternal/work, 403, PERMISSION_DENIED",
        "/v1/revisions/..;/internal/work, 400, INVALID_ARGUMENT",
        "/v1//internal/work, 400, INVALID_ARGUMENT",
        "/v1/revisions/%2e%2e/internal/work, 400, INVALID_ARGUMENT",
        "/nodes/0b6c1f6e-2f5f-4f8e-9b8e-6c2f3c1f0a11/v1/internal/work, 404, NOT_FOUND",
        "/nodes/0b6c1f6e-2f5f-4f8e-9b8e-6c2f3c1f0a11/v1/%69nternal/work, 404, NOT_FOUND",
        "/nodes/0b6c1f6e-2f5f-4f8e-9b8e-6c2f3c1f0a99/v1/node, 404, NOT_FOUND",
        "/nodes/1-1-1-1-1/v1/node, 404, NOT_FOUND",
        "/nodes, 404, NOT_FOUND",
        "/v1/nothing, 404, NOT_FOUND",
        "/v2/revisions, 404, NOT_FOUND",
        "/index.html, 404, NOT_FOUND",
        "/webjars/swagger-ui/index.html, 404, NOT_FOUND",
        "/actuator/gateway/routes, 404, NOT_FOUND"
    })
    void whatIsNotOfferedIsAProblemAndAsksNobody(String path, int status, String code) throws Exception {
        HttpResponse<String> answer = get(path);
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(problem(answer).code()).hasToString(code);
        assertThat(METADATA.seen()).allMatch(seen -> seen.uri().startsWith("/v1/nodes?"));
        assertThat(List.of(LEASE, RECONCILIATION, AGENT))
                .allMatch(standIn -> standIn.seen().isEmpty());
    }

    @Test
    void headersPassBothWays() throws Exception {
        LEASE.answers((request, response) -> response.status(201)
                .header("ETag", "\"7\"")
                .header("Location", "/v1/operations/x")
                .header("Lease-Token", "given")
                .header("Content-Type", "application/json")
                .sendString(Mono.just("{}")));
        String trace = "0af7651916cd43dd8448eb211c80319c";
        HttpResponse<String> answer = client.send(
                request("/v1/revisions/" + REVISION + "/leases")
                        .header("If-Match", "\"6\"")
                        .header("If-None-Match", "\"5\"")
                        .header("Lease-Token", "lease")
                        .header("Import-Token", "import")
                        .header("Write-Token", "write")
                        .header("Read-Lease", "read")
                        .header("Idempotency-Key", "once")
                        .header("Range", "bytes=1-2")
                        .header("Last-Event-ID", "41")
                        .header("traceparent", "00-" + trace + "-b7ad6b7169203331-01")
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(answer.headers().map())
                .containsEntry("ETag", List.of("\"7\""))
                .containsEntry("Location", List.of("/v1/operations/x"))
                .containsEntry("Lease-Token", List.of("given"));
        Map.of(
                        "If-Match", "\"6\"",
                        "If-None-Match", "\"5\"",
                        "Lease-Token", "lease",
                        "Import-Token", "import",
                        "Write-Token", "write",
                        "Read-Lease", "read",
                        "Idempotency-Key", "once",
                        "Range", "bytes=1-2",
                        "Last-Event-ID", "41")
                .forEach((name, value) ->
                        assertThat(LEASE.last().headers().getAll(name)).containsExactly(value));
        assertThat(LEASE.last().headers().getAll("traceparent"))
                .singleElement()
                .asString()
                .startsWith("00-" + trace + "-")
                .doesNotContain("b7ad6b7169203331");
        assertThat(LEASE.last().headers().get("Host")).isEqualTo("127.0.0.1:" + LEASE.port());
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/operations/x, /v1/operations/y, /v1/operations/y",
        "/v1/operations/x, http://10.0.0.1:81/v1/operations/y?a=%2F, /v1/operations/y?a=%2F",
        "/nodes/N/v1/transfers, /v1/transfers/y, /nodes/N/v1/transfers/y",
        "/nodes/N/v1/transfers, http://10.0.0.1:81/v1/transfers/y, /nodes/N/v1/transfers/y"
    })
    void aLocationLeadsThroughTheGateway(String path, String location, String expected) throws Exception {
        StandIn peer = path.startsWith("/nodes") ? AGENT : METADATA;
        String whole = path.replace("/N/", "/" + NODE + "/");
        if (peer == AGENT) {
            get(whole);
        }
        peer.answers((request, response) ->
                response.status(202).header("Location", location).send());
        HttpResponse<String> answer = get(whole);
        assertThat(answer.headers().firstValue("Location")).hasValue(expected.replace("/N/", "/" + NODE + "/"));
    }

    @Test
    void aRefusalOfAServicePassesUnchanged() throws Exception {
        String body = "{\"type\":\"urn:x\",\"status\":503,\"code\":\"UNAVAILABLE\",\"odd\":[1]}";
        METADATA.answers((request, response) -> response.status(503)
                .header("Content-Type", "application/problem+json")
                .header("Retry-After", "17")
                .sendString(Mono.just(body)));
        for (int i = 0; i < 30; i++) {
            HttpResponse<String> answer = get("/v1/operations/x");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).isEqualTo(body);
            assertThat(answer.headers().firstValue("Retry-After")).hasValue("17");
        }
    }

    @Test
    void aSmallContentPassesAndALargeOneIsRefusedWithTheAgentsUrl() throws Exception {
        String path = "/nodes/" + NODE + "/v1/objects/content?key=a%2Fb&offset=0";
        HttpResponse<String> small = client.send(
                request(path)
                        .PUT(HttpRequest.BodyPublishers.ofByteArray(new byte[16 * MIB]))
                        .build(),
                BodyHandlers.ofString());
        assertThat(small.body()).endsWith(" " + 16 * MIB);
        HttpResponse<String> large = client.send(
                request(path)
                        .expectContinue(true)
                        .PUT(HttpRequest.BodyPublishers.ofByteArray(new byte[16 * MIB + 1]))
                        .build(),
                BodyHandlers.ofString());
        assertThat(large.statusCode()).isEqualTo(413);
        assertThat(problem(large).code()).hasToString("PAYLOAD_TOO_LARGE");
        assertThat(problem(large).detail()).contains(AGENT.url() + "/v1/objects/content?key=a%2Fb&offset=0");
        assertThat(AGENT.seen()).hasSize(1);
    }

    @Test
    void aLargeContentOfUnknownLengthIsRefusedOnTheWay() throws Exception {
        String path = "/nodes/" + NODE + "/v1/objects/content?key=a";
        AGENT.answers((request, response) ->
                request.receive().then().then(response.send().then()));
        HttpResponse<String> large = client.send(
                request(path)
                        .PUT(HttpRequest.BodyPublishers.ofInputStream(
                                () -> new java.io.ByteArrayInputStream(new byte[17 * MIB])))
                        .build(),
                BodyHandlers.ofString());
        assertThat(large.statusCode()).isEqualTo(413);
        assertThat(problem(large).detail()).contains(AGENT.url().toString());
    }

    @Test
    void aLargeDownloadIsRefusedWithoutItsHeaders() throws Exception {
        int before = AGENT.closed();
        AGENT.answers((request, response) -> response.header("Content-Length", Long.toString(17L * MIB))
                .header("ETag", "\"9\"")
                .header("Accept-Ranges", "bytes")
                .sendByteArray(Flux.range(0, 17).map(i -> new byte[MIB])));
        HttpResponse<String> answer = get("/nodes/" + NODE + "/v1/objects/content?key=a");
        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(problem(answer).detail()).contains(AGENT.url() + "/v1/objects/content?key=a");
        assertThat(answer.headers().map()).doesNotContainKeys("ETag", "Accept-Ranges");
        StandIn.await("the agent's connection is closed", () -> AGENT.closed() > before);
        HttpResponse<String> head = client.send(
                request("/nodes/" + NODE + "/v1/objects/content?key=a").HEAD().build(), BodyHandlers.ofString());
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().firstValue("Content-Length")).hasValue(Long.toString(17L * MIB));
    }

    @Test
    void aDeadPeerIsUnavailableAndItsCircuitOpensAndCloses() throws Exception {
        int port = free();
        try (ConfigurableApplicationContext other = Gateway.builder()
                .run(
                        "--server.port=0",
                        "--weighbridge.services.metadata=" + METADATA.url(),
                        "--weighbridge.services.lease=http://127.0.0.1:" + port,
                        "--weighbridge.services.reconciliation=" + RECONCILIATION.url())) {
            URI locate = URI.create("http://127.0.0.1:" + HttpEdge.port(other) + "/v1/read-lease-keys");
            for (int i = 0; i < 15; i++) {
                HttpResponse<String> answer =
                        client.send(HttpRequest.newBuilder(locate).build(), BodyHandlers.ofString());
                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.headers().firstValue("Retry-After")).isPresent();
                assertThat(problem(answer).code()).hasToString("UNAVAILABLE");
                assertThat(problem(answer).detail())
                        .isEqualTo(
                                "lease-service " + (i < 10 ? "cannot be reached" : "has failed repeatedly and rests"));
            }
            try (StandIn back = new StandIn("lease", port)) {
                StandIn.await("the circuit closes", () -> status(locate) == 200);
                assertThat(back.seen()).isNotEmpty();
            }
            assertThat(status(URI.create("http://127.0.0.1:" + HttpEdge.port(other) + "/v1/reconciler/status")))
                    .isEqualTo(200);
        }
    }

    private static int status(URI uri) {
        try {
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
                    .statusCode();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aDeadAgentDoesNotShutOutTheOthers() throws Exception {
        for (int i = 0; i < 12; i++) {
            HttpResponse<String> answer = get("/nodes/" + DEAD_NODE + "/v1/node");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(problem(answer).code()).hasToString("UNAVAILABLE");
        }
        assertThat(get("/nodes/" + NODE + "/v1/node").statusCode()).isEqualTo(200);
    }

    @Test
    void agentsAreFoundWhileTheLedgerIsSilent() throws Exception {
        assertThat(get("/nodes/" + NODE + "/v1/node").statusCode()).isEqualTo(200);
        METADATA.answers((request, response) -> response.status(500).send());
        Mono.delay(Duration.ofMillis(1200)).block();
        assertThat(get("/nodes/" + NODE + "/v1/node").statusCode()).isEqualTo(200);
    }

    @Test
    void aSilentPeerExceedsTheLimit() throws Exception {
        int before = RECONCILIATION.closed();
        RECONCILIATION.answers((request, response) -> Mono.never());
        HttpResponse<String> answer = get("/v1/reconciler/status");
        assertThat(answer.statusCode()).isEqualTo(504);
        assertThat(problem(answer).code()).hasToString("DEADLINE_EXCEEDED");
        StandIn.await("the silent connection is given up", () -> RECONCILIATION.closed() > before);
    }

    @Test
    void aPeerThatFallsSilentWithinItsAnswerIsGivenUp() {
        RECONCILIATION.answers((request, response) -> response.header("Content-Type", "application/json")
                .header("Content-Length", "9")
                .sendString(Flux.concat(Mono.just("half"), Mono.never())));
        assertThat(client.sendAsync(request("/v1/reconciler/status").build(), BodyHandlers.ofString()))
                .failsWithin(Duration.ofSeconds(8));
    }

    @Test
    void aLongPollOutlastsTheOrdinaryLimit() throws Exception {
        METADATA.answers((request, response) -> Mono.delay(Duration.ofMillis(1200))
                .then(Mono.from(response.sendString(Mono.just("late")).then())));
        assertThat(get("/v1/operations/x?wait_ms=30000").body()).isEqualTo("late");
    }

    @Test
    void eventsArriveOneByOneAndTheReadersLeaveIsPassedOn() throws Exception {
        Sinks.Many<String> events = Sinks.many().unicast().onBackpressureBuffer();
        METADATA.answers((request, response) ->
                response.sse().sendString(events.asFlux().map(id -> "id:" + id + "\ndata:{}\n\n")));
        int before = METADATA.closed();
        events.tryEmitNext("42").orThrow();
        HttpResponse<InputStream> feed = client.send(
                request("/v1/feed")
                        .header("Accept", "text/event-stream")
                        .header("Last-Event-ID", "41")
                        .build(),
                BodyHandlers.ofInputStream());
        assertThat(feed.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/event-stream"));
        assertThat(METADATA.last().headers().get("Last-Event-ID")).isEqualTo("41");
        for (String id : List.of("42", "43", "44")) {
            if (!id.equals("42")) {
                events.tryEmitNext(id).orThrow();
            }
            String event = "id:" + id + "\ndata:{}\n\n";
            byte[] read = feed.body().readNBytes(event.length());
            assertThat(new String(read, StandardCharsets.US_ASCII)).isEqualTo(event);
        }
        feed.body().close();
        StandIn.await("the service's connection is closed", () -> METADATA.closed() > before);
    }

    @Test
    void aCallerThatLeavesBeforeTheAnswerCancelsTheCall() {
        int before = RECONCILIATION.closed();
        RECONCILIATION.answers((request, response) -> Mono.never());
        var call = client.sendAsync(request("/v1/update-cycles/x?wait_ms=60000").build(), BodyHandlers.discarding());
        StandIn.await("the service is asked", () -> !RECONCILIATION.seen().isEmpty());
        call.cancel(true);
        StandIn.await("the call is cancelled", () -> RECONCILIATION.closed() > before);
    }

    @ParameterizedTest
    @CsvSource({"evil.example,", "localhost:80,http://evil.example", "127.0.0.1,null"})
    void aForeignPageIsKeptOut(String host, @Nullable String from) throws Exception {
        for (String path : List.of("/v1/namespaces", "/", "/nodes/" + NODE + "/v1/node", "/openapi.yaml")) {
            try (Socket socket = new Socket("127.0.0.1", HttpEdge.port(gateway))) {
                socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(10));
                socket.getOutputStream()
                        .write(("GET " + path + " HTTP/1.1\r\nHost: " + host
                                        + (from == null ? "" : "\r\nOrigin: " + from)
                                        + "\r\nConnection: close\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .startsWith("HTTP/1.1 403")
                        .contains("PERMISSION_DENIED");
            }
        }
        assertThat(METADATA.seen()).isEmpty();
    }

    @Test
    void readinessNamesWhoIsNotReady() throws Exception {
        METADATA.answers((request, response) -> request.uri().equals("/readyz")
                ? response.status(503).send()
                : StandIn.json(200, nodes()).apply(request, response));
        HttpResponse<String> answer = get("/readyz");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("\"metadata-service\":{\"status\":\"DOWN\"");
        assertThat(answer.body())
                .contains("\"lease-service\":{\"status\":\"UP\"", "\"node-agents\":{\"status\":\"UP\"");
    }
}
