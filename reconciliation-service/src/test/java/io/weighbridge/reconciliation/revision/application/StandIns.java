package io.weighbridge.reconciliation.revision.application;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.Retry;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.reconciliation.revision.domain.Action;
import io.weighbridge.reconciliation.revision.domain.SimulatedWorld;
import io.weighbridge.wire.Claimed;
import io.weighbridge.wire.Keys;
import io.weighbridge.wire.ObjectResults;
import io.weighbridge.wire.PlanReplicas;
import io.weighbridge.wire.ProblemBody;
import io.weighbridge.wire.PutStarted;
import io.weighbridge.wire.ReplicaView;
import io.weighbridge.wire.RetireReplicas;
import io.weighbridge.wire.RetiredReplicas;
import io.weighbridge.wire.StartAutoRepair;
import io.weighbridge.wire.StartTransfers;
import io.weighbridge.wire.Transfer;
import io.weighbridge.wire.Transfers;
import io.weighbridge.wire.WireJson;
import io.weighbridge.wire.WorkPage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import tools.jackson.databind.json.JsonMapper;

/**
 * TEST STAND-INS for metadata-service, lease-service and all agents, on one port: HTTP in front of simulated worlds, one a
 * revision. They know the paths and bodies of spec 5.2 and none of the real services' code.
 */
final class StandIns implements AutoCloseable {

    private static final Pattern SITUATION = Pattern.compile("/v1/internal/revisions/(\\w+)/situation");
    private static final Pattern COMMAND =
            Pattern.compile("/v1/internal/revisions/(\\w+)/(observe|progress|finish|finish-delete|repair)");
    private static final Pattern AGENT = Pattern.compile("/agents/([0-9a-f-]+)/v1/transfers");

    final JsonMapper json = WireJson.newMapper();
    final Map<String, SimulatedWorld> worlds = new TreeMap<>();
    final Map<String, Long> epochs = new ConcurrentHashMap<>();
    final Map<UUID, Map<UUID, Transfer.State>> agents = new HashMap<>();
    final List<String> refused = new ArrayList<>();

    /** Agents that take a call and never answer. */
    final Map<UUID, Boolean> hanging = new ConcurrentHashMap<>();

    /** While true agents take orders and do nothing. */
    volatile boolean transfersRest;

    /** Orders of transfers, all agents together. */
    volatile int ordered;

    private final DisposableServer server;

    StandIns() {
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle((request, response) -> request.receive()
                        .aggregate()
                        .asString()
                        .defaultIfEmpty("")
                        .flatMap(body -> answer(request, body))
                        .flatMap(answer -> send(response, answer)))
                .bindNow();
    }

    private record Answer(int status, Object body) {}

    String url() {
        return "http://127.0.0.1:" + server.port();
    }

    /** Looks or changes while no request does. */
    synchronized <T> T with(String id, Function<SimulatedWorld, T> work) {
        return work.apply(Objects.requireNonNull(worlds.get(id)));
    }

    synchronized void add(String id, SimulatedWorld world) {
        worlds.put(id, world);
    }

    @Override
    public void close() {
        server.disposeNow();
    }

    private Mono<Void> send(HttpServerResponse response, Answer answer) {
        boolean problem = answer.status() >= 400;
        return response.status(answer.status())
                .header("Content-Type", problem ? "application/problem+json" : "application/json")
                .sendString(Mono.just(json.writeValueAsString(answer.body())))
                .then();
    }

    private Mono<Answer> answer(HttpServerRequest request, String body) {
        String path = request.uri().replaceAll("\\?.*", "");
        Matcher agent = AGENT.matcher(path);
        if (agent.matches()) {
            UUID node = UUID.fromString(agent.group(1));
            return hanging.containsKey(node)
                    ? Mono.never()
                    : Mono.just(agent(node, request.method().name(), body));
        }
        Matcher situation = SITUATION.matcher(path);
        if (situation.matches()) {
            return Mono.just(situation(situation.group(1)));
        }
        Matcher command = COMMAND.matcher(path);
        if (command.matches()) {
            return Mono.just(command(command.group(1), command.group(2), body));
        }
        return Mono.just(
                switch (path) {
                    case "/v1/internal/work" -> work();
                    case "/v1/internal/replicas/plan" -> plan(json.readValue(body, PlanReplicas.class));
                    case "/v1/internal/replicas/retire" -> retire(json.readValue(body, RetireReplicas.class));
                    case "/v1/objects/locate" -> locate(json.readValue(body, Keys.class));
                    default -> problem(404, ProblemCode.NOT_FOUND, "no such path: " + path);
                });
    }

    private synchronized Answer work() {
        return new Answer(200, new WorkPage(List.copyOf(worlds.keySet()), null));
    }

    private synchronized Answer situation(String id) {
        SimulatedWorld world = worlds.get(id);
        return world == null
                ? problem(404, ProblemCode.NOT_FOUND, "no such revision")
                : new Answer(200, new SituationOf(id, world, url()).situation());
    }

    private synchronized Answer command(String id, String name, String body) {
        SimulatedWorld world = Objects.requireNonNull(worlds.get(id));
        if (name.equals("repair")) {
            StartAutoRepair repair = json.readValue(body, StartAutoRepair.class);
            return taken(world, new Action.StartRepair(repair.expectedGeneration()));
        }
        Claimed claimed = json.readValue(body, Claimed.class);
        Answer stale = stale(world, claimed.operationId(), claimed.claimEpoch());
        if (stale != null) {
            return stale;
        }
        long processed = Objects.requireNonNullElse(claimed.processedMembers(), 0L);
        return taken(
                world,
                switch (name) {
                    case "observe" -> new Action.Observe();
                    case "progress" -> new Action.ReportProgress(processed, claimed.cursor());
                    case "finish" -> new Action.Finish(processed, claimed.cursor());
                    default -> new Action.FinishDelete();
                });
    }

    private Answer taken(SimulatedWorld world, Action action) {
        int before = world.refusals.size();
        world.take(action);
        if (world.refusals.size() > before) {
            refused.add(world.refusals.getLast());
            return problem(409, ProblemCode.NOT_READY, world.refusals.getLast());
        }
        return new Answer(200, Map.of());
    }

    /** Of one operation the highest claim epoch counts (spec 1.8). */
    private @Nullable Answer stale(SimulatedWorld world, @Nullable UUID operationId, long epoch) {
        if (operationId == null) {
            return null;
        }
        if (world.operation == OperationKind.NONE || !operationId.equals(world.operationId)) {
            return problem(409, ProblemCode.CONFLICT, "not the active operation");
        }
        long highest = epochs.merge(operationId.toString(), epoch, Math::max);
        if (epoch < highest) {
            refused.add("stale claim");
            return problem(409, ProblemCode.STALE_TOKEN, "a newer claim is at work");
        }
        return null;
    }

    private synchronized Answer plan(PlanReplicas body) {
        SimulatedWorld world = Objects.requireNonNull(worlds.get(body.revisionId()));
        Answer stale = stale(world, body.operationId(), body.claimEpoch());
        if (stale != null) {
            return stale;
        }
        List<PutStarted.Item> items = new ArrayList<>();
        for (PlanReplicas.Item item : body.items()) {
            if (world.free(item.nodeId(), item.tier()) < SimulatedWorld.SIZE) {
                items.add(new PutStarted.Item(item.key(), 507, ProblemCode.NO_SPACE, "full", null, 0, List.of()));
                continue;
            }
            SimulatedWorld.Replica replica = world.reserve(item.key(), item.nodeId(), item.tier());
            items.add(new PutStarted.Item(
                    item.key(),
                    200,
                    null,
                    null,
                    "token of " + replica.id,
                    1,
                    List.of(new PutStarted.Target(
                            replica.id,
                            replica.node,
                            SimulatedWorld.segment(replica.node, replica.tier),
                            replica.tier,
                            url() + "/agents/" + replica.node))));
        }
        return new Answer(200, new PutStarted(items));
    }

    private synchronized Answer retire(RetireReplicas body) {
        SimulatedWorld world = Objects.requireNonNull(worlds.get(body.revisionId()));
        Answer stale = stale(world, body.operationId(), body.claimEpoch());
        if (stale != null) {
            return stale;
        }
        if (body.operationId() == null && world.availability != Availability.DELETING) {
            return problem(409, ProblemCode.CONFLICT, "no operation");
        }
        world.take(new Action.RetireReplicas(body.replicaIds(), Action.Reason.SURPLUS));
        return new Answer(
                200,
                new RetiredReplicas(body.replicaIds().stream()
                        .map(id -> new RetiredReplicas.Item(id, 200, null))
                        .toList()));
    }

    private synchronized Answer locate(Keys keys) {
        List<ObjectResults.Item> items = new ArrayList<>();
        for (String key : keys.keys()) {
            List<ReplicaView> readable = new ArrayList<>();
            for (Map.Entry<String, SimulatedWorld> entry : worlds.entrySet()) {
                new SituationOf(entry.getKey(), entry.getValue(), url())
                        .replicas(key, "lease")
                        .filter(ReplicaView::readable)
                        .forEach(readable::add);
            }
            items.add(new ObjectResults.Item(key, 200, null, null, 1L, SimulatedWorld.SIZE, "sha", readable));
        }
        return new Answer(200, new ObjectResults(items));
    }

    private synchronized Answer agent(UUID node, String method, String body) {
        Map<UUID, Transfer.State> known = agents.computeIfAbsent(node, _ -> new LinkedHashMap<>());
        if (method.equals("POST")) {
            for (StartTransfers.Item item :
                    json.readValue(body, StartTransfers.class).items()) {
                ordered++;
                known.putIfAbsent(item.target().replicaId(), Transfer.State.RUNNING);
            }
        }
        List<Transfer> list = new ArrayList<>();
        known.forEach((replica, state) -> list.addFirst(new Transfer(
                replica, replica, state, "http", 0, SimulatedWorld.SIZE, Instant.EPOCH, null, null, null)));
        return new Answer(200, new Transfers(list));
    }

    /** Running transfers end well, as far as their nodes live. */
    synchronized void letTransfersEnd() {
        if (transfersRest) {
            return;
        }
        for (SimulatedWorld world : worlds.values()) {
            world.all().filter(replica -> !replica.complete).toList().forEach(replica -> {
                Map<UUID, Transfer.State> known = agents.getOrDefault(replica.node, Map.of());
                SimulatedWorld.Node node = world.nodes.get(replica.node);
                if (known.get(replica.id) == Transfer.State.RUNNING && node != null && node.alive) {
                    known.put(replica.id, Transfer.State.DONE);
                    replica.complete = true;
                }
            });
        }
    }

    /** What agents run is forgotten: a host restarts. */
    synchronized void forgetTransfers() {
        agents.clear();
    }

    private static Answer problem(int status, ProblemCode code, String detail) {
        return new Answer(
                status, new ProblemBody("about:blank", "no", status, detail, code, Retry.LATER, null, List.of(), null));
    }
}
