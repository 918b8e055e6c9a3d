package io.weighbridge.gateway;

import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.NodeState;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.ReplicaState;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.ledger.vocabulary.SegmentState;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.wire.Diagnosis;
import io.weighbridge.wire.FeedEntry;
import io.weighbridge.wire.FeedPage;
import io.weighbridge.wire.MemberPage;
import io.weighbridge.wire.MemberView;
import io.weighbridge.wire.NamespacePage;
import io.weighbridge.wire.NodePage;
import io.weighbridge.wire.NodeView;
import io.weighbridge.wire.OperationView;
import io.weighbridge.wire.Placement;
import io.weighbridge.wire.ReconcilerStatus;
import io.weighbridge.wire.ReplicaView;
import io.weighbridge.wire.ResourcePage;
import io.weighbridge.wire.RevisionPage;
import io.weighbridge.wire.RevisionView;
import io.weighbridge.wire.SegmentView;
import io.weighbridge.wire.WireJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import tools.jackson.databind.json.JsonMapper;

/** Stand-in services with a small believable fleet: what the dashboard reads, as the wire records write it. */
final class StandInSuite implements StandIn.Answer, AutoCloseable {

    static final String HOSTILE = "<img src=x onerror=alert(1)>";

    private static final JsonMapper JSON = WireJson.newMapper();
    private static final long GIB = 1L << 30;
    private static final Instant NOW = Instant.now();
    private static final List<UUID> NODES = List.of(uuid(1), uuid(2), uuid(3), uuid(4));
    private static final UUID OPERATION = uuid(90);

    private final StandIn services = new StandIn("services");
    private final Sinks.Many<FeedEntry> feed = Sinks.many().replay().limit(50);
    private volatile boolean hostile;
    private volatile boolean empty;
    private volatile boolean tokenNeeded;
    private volatile boolean reconcilerDown;

    StandInSuite() {
        services.answers(this);
    }

    String url() {
        return services.url().toString();
    }

    void hostile(boolean is) {
        hostile = is;
    }

    void empty(boolean is) {
        empty = is;
    }

    void tokenNeeded(boolean is) {
        tokenNeeded = is;
    }

    void reconcilerDown(boolean is) {
        reconcilerDown = is;
    }

    /** One more committed change. */
    void happens(String kind, String entity, String subject, Map<String, Object> state, long secondsAgo) {
        String id = revisionId(entity.hashCode());
        feed.tryEmitNext(new FeedEntry(
                        "c" + kind + secondsAgo,
                        kind,
                        entity,
                        id,
                        7,
                        "default",
                        id,
                        null,
                        subject,
                        NOW.minusSeconds(secondsAgo),
                        state))
                .orThrow();
    }

    @Override
    public Publisher<Void> apply(HttpServerRequest request, HttpServerResponse response) {
        String path = request.uri().replaceFirst("\\?.*", "");
        if (tokenNeeded && !"Bearer right".equals(request.requestHeaders().get("Authorization"))) {
            return problem(401, "UNAUTHENTICATED", "the credential is missing, unknown or expired")
                    .apply(request, response);
        }
        if (path.equals("/v1/feed")
                && "text/event-stream".equals(request.requestHeaders().get("Accept"))) {
            return response.sse()
                    .sendString(Flux.concat(
                            Mono.just(":\n\n"),
                            feed.asFlux()
                                    .map(entry -> "id:" + entry.cursor() + "\ndata:" + JSON.writeValueAsString(entry)
                                            + "\n\n")));
        }
        if (path.equals("/v1/reconciler/status") && reconcilerDown) {
            return problem(503, "UNAVAILABLE", "the ledger cannot be reached").apply(request, response);
        }
        return StandIn.json(200, JSON.writeValueAsString(body(path, request.uri())))
                .apply(request, response);
    }

    private static StandIn.Answer problem(int status, String code, String detail) {
        return StandIn.json(status, "{\"code\":\"%s\",\"detail\":\"%s\",\"retry\":\"LATER\"}".formatted(code, detail));
    }

    private Object body(String path, String uri) {
        if (path.equals("/readyz")) {
            return Map.of("status", "UP");
        }
        if (path.equals("/v1/feed")) {
            return new FeedPage(List.of(), "c0");
        }
        if (path.equals("/v1/reconciler/status")) {
            return status();
        }
        if (path.equals("/v1/nodes")) {
            return new NodePage(empty ? List.of() : nodes(), null);
        }
        if (path.equals("/v1/namespaces")) {
            return new NamespacePage(empty ? List.of() : List.of("chat", "vision"), null);
        }
        if (path.equals("/v1/resources")) {
            return new ResourcePage(
                    uri.contains("namespace=chat")
                            ? List.of("atlas-70b", "atlas-70b-draft", "tern-8b")
                            : List.of("osprey-vit-l"),
                    null);
        }
        if (path.startsWith("/v1/operations/")) {
            return operation();
        }
        if (path.endsWith("/members")) {
            return members();
        }
        if (path.endsWith("/diagnosis")) {
            return diagnosis();
        }
        if (path.equals("/v1/revisions")) {
            return new RevisionPage(
                    uri.contains("atlas-70b&") || uri.endsWith("atlas-70b") ? revisions() : List.of(), null);
        }
        return revisions().getFirst();
    }

    private ReconcilerStatus status() {
        return empty
                ? new ReconcilerStatus(Map.of(), Map.of(), 0, 0, null, 0, 0, 0)
                : new ReconcilerStatus(
                        ordered("READY", 14L, "IMPORTING", 2L, "DEGRADED", 1L, "DELETING", 1L),
                        ordered("HOT", 9L, "COLD", 6L, "MIXED", 2L, "UNKNOWN", 1L),
                        128,
                        2,
                        47_000L,
                        0,
                        2,
                        3);
    }

    private static Map<String, Long> ordered(Object... pairs) {
        Map<String, Long> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], (Long) pairs[i + 1]);
        }
        return map;
    }

    private static List<NodeView> nodes() {
        return List.of(
                node(0, NodeState.LIVE, 1, 431 * GIB, SegmentState.MOUNTED, 3100 * GIB),
                node(1, NodeState.LIVE, 1, 498 * GIB, SegmentState.MOUNTED, 6020 * GIB),
                node(2, NodeState.LIVE, 0, 212 * GIB, SegmentState.DRAINING, 1800 * GIB),
                node(3, NodeState.SUSPECT, 9, 88 * GIB, SegmentState.MOUNTED, 940 * GIB));
    }

    private static NodeView node(
            int i, NodeState state, long heartbeat, long memory, SegmentState disk, long diskBytes) {
        UUID id = NODES.get(i);
        return new NodeView(
                id,
                uuid(50 + i),
                "http://10.4.0.1" + i + ":8090",
                Map.of("host", "gpu-0" + (i + 1), "zone", "a"),
                state,
                NOW.minusSeconds(heartbeat),
                NOW.minusSeconds(90_000),
                List.of(
                        new SegmentView(uuid(10 + i), id, Tier.MEMORY, SegmentState.MOUNTED, 3, 512 * GIB, memory),
                        new SegmentView(uuid(20 + i), id, Tier.LOCAL_DISK, disk, 3, 7168 * GIB, diskBytes)));
    }

    private List<RevisionView> revisions() {
        return List.of(
                revision("2026-11-28", 418, Availability.READY, Residency.HOT, OperationKind.NONE, 40),
                revision("2026-11-29", 419, Availability.READY, Residency.MIXED, OperationKind.REHYDRATING, 12),
                revision("2026-11-21", 402, Availability.READY, Residency.COLD, OperationKind.NONE, 86_400 * 3),
                revision("2026-11-14", 377, Availability.DEGRADED, Residency.MIXED, OperationKind.REPAIRING, 95),
                revision("2026-11-30-rc1", 420, Availability.IMPORTING, Residency.UNKNOWN, OperationKind.NONE, 4),
                revision(
                        hostile ? HOSTILE : "2026-11-07",
                        12,
                        Availability.DELETING,
                        Residency.ABSENT,
                        OperationKind.NONE,
                        300));
    }

    private static RevisionView revision(
            String name,
            long generation,
            Availability availability,
            Residency residency,
            OperationKind operation,
            long changed) {
        return new RevisionView(
                revisionId(generation),
                "default",
                "chat",
                "atlas-70b",
                name,
                generation,
                30,
                generation == 12 ? 15 * GIB : 131 * GIB + generation * 1_000_000,
                "weight:" + revisionId(generation),
                "m",
                null,
                null,
                availability,
                residency,
                operation,
                operation == OperationKind.NONE ? null : OPERATION,
                6,
                Map.of("trainer", "run-77", "stage", "production"),
                new Placement(2, 1, null, null),
                NOW.minusSeconds(changed + 900),
                NOW.minusSeconds(changed),
                availability == Availability.IMPORTING ? null : NOW.minusSeconds(changed + 600),
                null);
    }

    private static OperationView operation() {
        return new OperationView(
                OPERATION,
                revisionId(419),
                OperationKind.REHYDRATING,
                Residency.HOT,
                true,
                false,
                5,
                NOW.minusSeconds(47),
                NOW,
                19,
                31,
                null,
                null);
    }

    private static MemberPage members() {
        List<MemberView> members = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            members.add(new MemberView(
                    "weight/chat/atlas-70b/2026-11-28/418/model-0000" + i + "-of-00030.safetensors",
                    ObjectType.WEIGHT,
                    (long) (4.4 * GIB) + i * 77_000_000L,
                    900 + i,
                    "ab".repeat(32),
                    List.of(copy(i % 3, Tier.MEMORY), copy((i + 1) % 3, Tier.MEMORY), copy(3, Tier.LOCAL_DISK))));
        }
        return new MemberPage(members, "more");
    }

    private static ReplicaView copy(int node, Tier tier) {
        return new ReplicaView(
                uuid(300 + node),
                NODES.get(node),
                "http://10.4.0.1" + node + ":8090",
                uuid(10 + node),
                tier,
                ReplicaState.COMPLETE,
                node != 3,
                null);
    }

    private static Diagnosis diagnosis() {
        return new Diagnosis(
                "revision",
                true,
                List.of(
                        new Diagnosis.Layer("revision", Diagnosis.Verdict.OK, "READY at generation 6", null),
                        new Diagnosis.Layer("manifest", Diagnosis.Verdict.OK, "30 payloads, digest matches", null),
                        new Diagnosis.Layer(
                                "replicas",
                                Diagnosis.Verdict.WARNING,
                                "30 members have a cold copy on gpu-04, which misses heartbeats",
                                "repair the revision if the node does not come back"),
                        new Diagnosis.Layer("leases", Diagnosis.Verdict.OK, "128 active", null)));
    }

    private static String revisionId(long seed) {
        return "%016x".formatted(seed * 0x9e3779b97f4a7c15L).repeat(4);
    }

    private static UUID uuid(int seed) {
        return new UUID(0x8f3a_51c2_0d4e_4b10L + seed * 0x0100_0000_0000_0000L, 0x9a77_0000_0000_0000L + seed);
    }

    @Override
    public void close() {
        services.close();
    }
}
