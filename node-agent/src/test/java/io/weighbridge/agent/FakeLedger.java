package io.weighbridge.agent;

import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.token.NodeKey;
import io.weighbridge.ledger.token.ReadLease;
import io.weighbridge.ledger.token.WriteToken;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.ReplicaState;
import io.weighbridge.ledger.vocabulary.SegmentState;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.wire.ExtentPage;
import io.weighbridge.wire.Heartbeat;
import io.weighbridge.wire.HeartbeatAnswer;
import io.weighbridge.wire.Keys;
import io.weighbridge.wire.ObjectResults;
import io.weighbridge.wire.ProblemBody;
import io.weighbridge.wire.ReadLeaseKeys;
import io.weighbridge.wire.RegisterNode;
import io.weighbridge.wire.RegisteredNode;
import io.weighbridge.wire.ReplicaView;
import io.weighbridge.wire.ReportResults;
import io.weighbridge.wire.Reports;
import io.weighbridge.wire.SegmentView;
import io.weighbridge.wire.WireJson;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import tools.jackson.databind.json.JsonMapper;

/**
 * The test's own ledger: a small HTTP server that says what the test wants and records what it is told. It is not the
 * ledger and proves nothing about it.
 */
final class FakeLedger implements AutoCloseable {

    static final String TENANT = "acme";

    final List<Reports.Item> reports = new CopyOnWriteArrayList<>();
    final List<RegisterNode> registrations = new CopyOnWriteArrayList<>();
    final List<Heartbeat> heartbeats = new CopyOnWriteArrayList<>();
    final List<String> mounts = new CopyOnWriteArrayList<>();
    final List<String> located = new CopyOnWriteArrayList<>();
    final Set<UUID> reclaim = ConcurrentHashMap.newKeySet();
    final Set<UUID> closeTokens = ConcurrentHashMap.newKeySet();
    final Map<UUID, ProblemCode> refusedReports = new ConcurrentHashMap<>();
    final Map<UUID, List<ExtentPage.Extent>> extents = new ConcurrentHashMap<>();
    final Map<UUID, ReplicaView> replicas = new ConcurrentHashMap<>();
    volatile boolean answersReports = true;
    volatile boolean down;
    volatile Duration leaseTtl = Duration.ofSeconds(10);
    volatile int keyVersion = 1;
    volatile Instant keysAsked = Instant.EPOCH;

    private final JsonMapper json = WireJson.newMapper();
    private final Random random = new Random(42);
    private final Map<UUID, UUID> nodeOfReplica = new ConcurrentHashMap<>();
    private final Map<UUID, RegisterNode> nodes = new ConcurrentHashMap<>();
    private final Map<UUID, UUID> arenas = new HashMap<>();
    private final Map<UUID, Long> epochs = new ConcurrentHashMap<>();
    private final DisposableServer server;

    FakeLedger() {
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle((request, response) -> request.receive()
                        .aggregate()
                        .asString()
                        .defaultIfEmpty("")
                        .flatMap(body -> answer(request, response, body)))
                .bindNow();
    }

    String url() {
        return "http://127.0.0.1:" + server.port();
    }

    private Mono<Void> answer(HttpServerRequest request, HttpServerResponse response, String body) {
        if (down) {
            return response.status(503).send().then();
        }
        URI uri = URI.create(request.uri());
        String[] path = uri.getPath().split("/", -1);
        Object answer;
        try {
            answer = switch (request.method().name() + " " + uri.getPath().replaceAll("[0-9a-f-]{36}", "ID")) {
                case "GET /v1/read-lease-keys" -> keys(UUID.fromString(query(uri, "node_id")));
                case "POST /v1/nodes" -> register(json.readValue(body, RegisterNode.class));
                case "GET /v1/nodes/ID/segments/ID/extents" ->
                    new ExtentPage(extents.getOrDefault(UUID.fromString(path[5]), List.of()), null);
                case "POST /v1/nodes/ID/segments/ID/mount" -> mount(path[3], path[5], query(uri, "agent_incarnation"));
                case "POST /v1/nodes/ID/heartbeat" ->
                    heartbeat(UUID.fromString(path[3]), json.readValue(body, Heartbeat.class));
                case "POST /v1/nodes/ID/reports" -> report(json.readValue(body, Reports.class));
                case "POST /v1/objects/locate" -> locate(query(uri, "tenant_id"), json.readValue(body, Keys.class));
                default -> throw new Refusal(ProblemCode.NOT_FOUND);
            };
        } catch (Refusal refusal) {
            return problem(response, refusal.code);
        }
        return response.header("content-type", "application/json")
                .sendString(Mono.just(json.writeValueAsString(answer)))
                .then();
    }

    private Mono<Void> problem(HttpServerResponse response, ProblemCode code) {
        int status = code == ProblemCode.NOT_FOUND ? 404 : code == ProblemCode.UNAVAILABLE ? 503 : 409;
        ProblemBody problem = new ProblemBody(
                "about:blank", code.name(), status, "as the test wants", code, code.retry(), null, List.of(), null);
        return response.status(status)
                .header("content-type", "application/problem+json")
                .sendString(Mono.just(json.writeValueAsString(problem)))
                .then();
    }

    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final ProblemCode code;

        Refusal(ProblemCode code) {
            super(code.name());
            this.code = code;
        }
    }

    private static String query(URI uri, String name) {
        for (String part : uri.getRawQuery().split("&", -1)) {
            if (part.startsWith(name + "=")) {
                return URLDecoder.decode(part.substring(name.length() + 1), StandardCharsets.UTF_8);
            }
        }
        throw new Refusal(ProblemCode.INVALID_ARGUMENT);
    }

    NodeKey key(UUID nodeId) {
        return key(nodeId, keyVersion);
    }

    private static NodeKey key(UUID nodeId, int version) {
        byte[] secret = new byte[32];
        new Random(nodeId.getLeastSignificantBits() + version).nextBytes(secret);
        return new NodeKey(nodeId, version, secret);
    }

    private ReadLeaseKeys keys(UUID nodeId) {
        keysAsked = now();
        List<ReadLeaseKeys.Key> all = new ArrayList<>();
        for (int version = keyVersion; version > 0; version--) {
            all.add(new ReadLeaseKeys.Key(
                    version,
                    Base64.getUrlEncoder()
                            .withoutPadding()
                            .encodeToString(key(nodeId, version).secret())));
        }
        return new ReadLeaseKeys(all);
    }

    private synchronized RegisteredNode register(RegisterNode node) {
        registrations.add(node);
        nodes.put(node.nodeId(), node);
        List<SegmentView> views = new ArrayList<>();
        for (RegisterNode.Segment segment : node.segments()) {
            UUID before = arenas.put(segment.segmentId(), segment.arenaId());
            if (!segment.arenaId().equals(before)) {
                epochs.merge(segment.segmentId(), 1L, Long::sum);
            }
            views.add(new SegmentView(
                    segment.segmentId(),
                    node.nodeId(),
                    segment.tier(),
                    SegmentState.VERIFYING,
                    epoch(segment.segmentId()),
                    segment.capacity(),
                    0));
        }
        return new RegisteredNode(node.nodeId(), now(), 50, views);
    }

    private Map<String, String> mount(String nodeId, String segmentId, String incarnation) {
        RegisterNode node = nodes.get(UUID.fromString(nodeId));
        if (node == null || !node.agentIncarnation().toString().equals(incarnation)) {
            throw new Refusal(ProblemCode.STALE_INCARNATION);
        }
        mounts.add(segmentId);
        return Map.of();
    }

    private HeartbeatAnswer heartbeat(UUID nodeId, Heartbeat heartbeat) {
        heartbeats.add(heartbeat);
        RegisterNode node = nodes.get(nodeId);
        if (node == null) {
            throw new Refusal(ProblemCode.NOT_FOUND);
        }
        if (!node.agentIncarnation().equals(heartbeat.agentIncarnation())) {
            throw new Refusal(ProblemCode.STALE_INCARNATION);
        }
        return new HeartbeatAnswer(now(), of(nodeId, reclaim), of(nodeId, closeTokens), keyVersion);
    }

    private List<UUID> of(UUID nodeId, Set<UUID> replicaIds) {
        return replicaIds.stream()
                .filter(replicaId -> nodeId.equals(nodeOfReplica.get(replicaId)))
                .toList();
    }

    private ReportResults report(Reports batch) {
        if (!answersReports) {
            throw new Refusal(ProblemCode.UNAVAILABLE);
        }
        List<ReportResults.Item> results = new ArrayList<>();
        for (Reports.Item item : batch.items()) {
            reports.add(item);
            if (item.event() == Reports.Event.FREED) {
                reclaim.remove(item.replicaId());
            }
            if (item.event() == Reports.Event.CLOSED) {
                closeTokens.remove(item.replicaId());
            }
            ProblemCode code = refusedReports.get(item.replicaId());
            results.add(new ReportResults.Item(item.replicaId(), code == null ? 200 : 409, code));
        }
        return new ReportResults(results);
    }

    private ObjectResults locate(String tenant, Keys keys) {
        String key = keys.keys().getFirst();
        located.add(key);
        List<ReplicaView> readable = new ArrayList<>();
        replicas.forEach((replicaId, view) -> {
            String lease = lease(key, replicaId, view.nodeId(), view.segmentId(), leaseTtl);
            readable.add(new ReplicaView(
                    replicaId, view.nodeId(), view.url(), view.segmentId(), view.tier(), view.state(), true, lease));
        });
        return new ObjectResults(List.of(new ObjectResults.Item(key, 200, null, null, 7L, null, null, readable)));
    }

    /** The ledger forgets the node, as after a restore. */
    void forget(UUID nodeId) {
        nodes.remove(nodeId);
    }

    /** As if a newer start of the same agent had registered. */
    void forgetIncarnation(UUID nodeId) {
        nodes.computeIfPresent(
                nodeId,
                (id, node) ->
                        new RegisterNode(id, newId(), node.url(), node.labels(), node.hostBootId(), node.segments()));
    }

    long epoch(UUID segmentId) {
        return epochs.getOrDefault(segmentId, 0L);
    }

    synchronized UUID newId() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }

    /** A write token for one copy, as put-start would make it. */
    Put put(RunningAgent agent, Tier tier, String key, long size, ObjectType type) {
        return put(agent, tier, key, size, type, now().plusSeconds(60), 0);
    }

    Put put(
            RunningAgent agent,
            Tier tier,
            String key,
            long size,
            ObjectType type,
            Instant expiresAt,
            long epochOffset) {
        UUID segmentId = agent.segment(tier);
        UUID replicaId = newId();
        nodeOfReplica.put(replicaId, agent.nodeId());
        WriteToken token = new WriteToken(
                TENANT,
                newId(),
                CanonicalKeys.objectId(TENANT, key),
                type,
                size,
                expiresAt,
                List.of(new WriteToken.Target(
                        agent.nodeId(), replicaId, segmentId, epoch(segmentId) + epochOffset, tier)));
        return new Put(key, replicaId, segmentId, token.sign(this::key));
    }

    /** @param token the write token's text */
    record Put(String key, UUID replicaId, UUID segmentId, String token) {}

    String lease(RunningAgent agent, Put put, Duration ttl) {
        return lease(put.key(), put.replicaId(), agent.nodeId(), put.segmentId(), ttl);
    }

    String lease(String key, UUID replicaId, UUID nodeId, UUID segmentId, Duration ttl) {
        return new ReadLease(TENANT, CanonicalKeys.objectId(TENANT, key), 7, replicaId, epoch(segmentId), now(), ttl)
                .sign(key(nodeId));
    }

    /** Makes locate answer with this copy. */
    void readable(RunningAgent agent, Put put, Tier tier) {
        replicas.put(
                put.replicaId(),
                new ReplicaView(
                        put.replicaId(),
                        agent.nodeId(),
                        agent.url(),
                        put.segmentId(),
                        tier,
                        ReplicaState.COMPLETE,
                        true,
                        null));
    }

    /** Lists a stored copy for the next registration. */
    void list(Put put, long size) {
        List<ExtentPage.Extent> listed = new ArrayList<>(extents.getOrDefault(put.segmentId(), List.of()));
        listed.add(new ExtentPage.Extent(
                put.replicaId(),
                CanonicalKeys.objectId(TENANT, put.key()),
                put.key(),
                size,
                ReplicaState.COMPLETE,
                checksums(put.replicaId())));
        extents.put(put.segmentId(), listed);
    }

    Reports.Item stored(UUID replicaId) {
        return reports.stream()
                .filter(item ->
                        item.event() == Reports.Event.STORED && item.replicaId().equals(replicaId))
                .findFirst()
                .orElseThrow();
    }

    List<Long> checksums(UUID replicaId) {
        List<Long> checksums = stored(replicaId).crc32c();
        return checksums == null ? List.of() : checksums;
    }

    boolean has(UUID replicaId, Reports.Event event) {
        return reports.stream()
                .anyMatch(item -> item.event() == event && item.replicaId().equals(replicaId));
    }

    Set<UUID> reported(Reports.Event event) {
        Set<UUID> ids = new HashSet<>();
        reports.stream().filter(item -> item.event() == event).forEach(item -> ids.add(item.replicaId()));
        return ids;
    }

    @Nullable
    RegisterNode node(UUID nodeId) {
        return nodes.get(nodeId);
    }

    @Override
    public void close() {
        server.disposeNow();
    }
}
