package io.weighbridge.metadata.node.application;

import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.metadata.node.domain.Extent;
import io.weighbridge.metadata.node.domain.Node;
import io.weighbridge.metadata.node.domain.NodeDecider;
import io.weighbridge.metadata.node.domain.NodeEvent;
import io.weighbridge.metadata.node.domain.Registration;
import io.weighbridge.metadata.node.domain.Segment;
import io.weighbridge.metadata.node.postgres.NodeProjection;
import io.weighbridge.metadata.node.postgres.NodeRows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Registration of nodes and changes of their segments' states. */
public final class NodeHandler {

    private final Ledger ledger;
    private final NodeRows rows;
    private final NodeProjection projection;
    private final NodeEntries entries;
    private final Consumer<UUID> epochMoved;

    /** @param epochMoved told of a segment after the commit that moved its epoch; must not block */
    public NodeHandler(Ledger ledger, JsonMapper json, Consumer<UUID> epochMoved) {
        this.ledger = ledger;
        this.rows = new NodeRows(json);
        this.projection = new NodeProjection(json);
        this.entries = new NodeEntries(json);
        this.epochMoved = epochMoved;
    }

    /** A node with its segments, and the database's clock. */
    public record Registered(Node node, List<Segment> segments, Instant now) {}

    /** Who asks for a change of a segment. */
    public record Asking(
            String subject,
            boolean isAdministrator,
            @Nullable UUID agentIncarnation) {}

    /** Takes a node in, or takes it in again. */
    public Mono<Registered> register(Registration wanted) {
        List<UUID> offered =
                wanted.segments().stream().map(Registration.Offer::segmentId).toList();
        return ledger.transact(
                        Guards.none(),
                        tx -> rows.lock(tx::sql, List.of(wanted.nodeId()))
                                .flatMap(nodes -> rows.lockSegments(tx::sql, wanted.nodeId(), offered)
                                        .flatMap(segments -> register(tx, wanted, first(nodes), segments))))
                .doOnNext(done -> done.moved().forEach(epochMoved))
                .map(Done::registered);
    }

    private record Done(Registered registered, List<UUID> moved) {}

    private Mono<Done> register(
            LedgerTransaction tx, Registration wanted, @Nullable Node known, List<Segment> segments) {
        return switch (NodeDecider.register(known, segments, wanted, tx.now())) {
            case Decision.Refused<NodeEvent>(Problem problem) -> Mono.error(new ProblemException(problem));
            case Decision.Unchanged<NodeEvent>() ->
                throw new IllegalStateException("a registration is never unchanged");
            case Decision.Accepted<NodeEvent>(List<NodeEvent> events) -> {
                Map<UUID, Segment> after = new HashMap<>();
                List<UUID> moved = new ArrayList<>();
                Node node = apply(events, segments, after, moved);
                List<Segment> all = List.copyOf(after.values());
                yield projection
                        .write(tx::sql, events)
                        .then(tx.append(entries.changed(node, all, wanted.subject())))
                        .thenReturn(new Done(new Registered(node, all, tx.now()), moved));
            }
        };
    }

    private static Node apply(
            List<NodeEvent> events, List<Segment> before, Map<UUID, Segment> after, List<UUID> moved) {
        Node node = null;
        before.forEach(segment -> after.put(segment.segmentId(), segment));
        for (NodeEvent event : events) {
            switch (event) {
                case NodeEvent.NodeChanged(Node changed) -> node = changed;
                case NodeEvent.SegmentAdded(Segment segment) -> after.put(segment.segmentId(), segment);
                case NodeEvent.SegmentChanged(Segment segment) -> after.put(segment.segmentId(), segment);
                case NodeEvent.EpochMoved(Segment segment) -> {
                    after.put(segment.segmentId(), segment);
                    moved.add(segment.segmentId());
                }
            }
        }
        if (node == null) {
            throw new IllegalStateException("a registration changes its node");
        }
        return node;
    }

    /** The agent has verified a segment: its copies are readable, and new ones may come. */
    public Mono<Segment> mount(UUID nodeId, UUID segmentId, Asking asking) {
        return change(nodeId, segmentId, asking, NodeDecider::mount);
    }

    /** Takes a segment out of use at once. */
    public Mono<Segment> unmount(UUID nodeId, UUID segmentId, Asking asking) {
        return change(nodeId, segmentId, asking, NodeDecider::unmount);
    }

    /** Lets a segment take no new copies. */
    public Mono<Segment> drain(UUID nodeId, UUID segmentId, Asking asking) {
        return change(nodeId, segmentId, asking, NodeDecider::drain);
    }

    private Mono<Segment> change(
            UUID nodeId, UUID segmentId, Asking asking, Function<Segment, Decision<NodeEvent>> decide) {
        return ledger.transact(
                Guards.none(),
                tx -> rows.lock(tx::sql, List.of(nodeId)).flatMap(nodes -> {
                    Node node = changing(first(nodes), asking);
                    return rows.lockSegments(tx::sql, nodeId, List.of()).flatMap(segments -> {
                        Segment segment = segments.stream()
                                .filter(candidate -> candidate.segmentId().equals(segmentId))
                                .findFirst()
                                .orElseThrow(() ->
                                        new ProblemException(ProblemCode.NOT_FOUND, "the node has no such segment"));
                        return switch (decide.apply(segment)) {
                            case Decision.Refused<NodeEvent>(Problem problem) ->
                                Mono.error(new ProblemException(problem));
                            case Decision.Unchanged<NodeEvent>() -> Mono.just(segment);
                            case Decision.Accepted<NodeEvent>(List<NodeEvent> events) ->
                                write(tx, node, segments, events, asking.subject(), segmentId);
                        };
                    });
                }));
    }

    private Mono<Segment> write(
            LedgerTransaction tx,
            Node before,
            List<Segment> segments,
            List<NodeEvent> events,
            String subject,
            UUID segmentId) {
        List<NodeEvent> all = new ArrayList<>(events);
        all.add(new NodeEvent.NodeChanged(before.touched()));
        Map<UUID, Segment> after = new HashMap<>();
        Node node = apply(all, segments, after, new ArrayList<>());
        Segment changed = Objects.requireNonNull(after.get(segmentId));
        return projection
                .write(tx::sql, events)
                .then(projection.states(tx::sql, List.of(node)))
                .then(tx.append(entries.changed(node, List.copyOf(after.values()), subject)))
                .thenReturn(changed);
    }

    private static Node changing(@Nullable Node node, Asking asking) {
        if (node != null && asking.isAdministrator()) {
            return node;
        }
        NodeDecider.refusesChange(node, asking.subject(), asking.agentIncarnation())
                .ifPresent(problem -> {
                    throw new ProblemException(problem);
                });
        return Objects.requireNonNull(node);
    }

    /** What the ledger expects on a segment, after a copy's id. */
    public Mono<List<Extent>> extents(UUID nodeId, UUID segmentId, String subject, UUID after, int limit) {
        return rows.read(ledger.reads()::sql, nodeId)
                .switchIfEmpty(Mono.error(() -> new ProblemException(ProblemCode.NOT_FOUND, "no such node")))
                .doOnNext(node -> NodeDecider.refusesAgent(node, subject, null).ifPresent(problem -> {
                    throw new ProblemException(problem);
                }))
                .then(rows.segments(ledger.reads()::sql, List.of(nodeId)))
                .doOnNext(segments -> {
                    if (segments.stream().noneMatch(s -> s.segmentId().equals(segmentId))) {
                        throw new ProblemException(ProblemCode.NOT_FOUND, "the node has no such segment");
                    }
                })
                .then(rows.extents(ledger.reads()::sql, segmentId, after, limit))
                .onErrorMap(Ledger::readError);
    }

    /** Nodes in the order of their ids, after one. */
    public Mono<List<Registered>> list(UUID after, int limit) {
        return rows.page(ledger.reads()::sql, after, limit)
                .flatMap(nodes -> rows.segments(
                                ledger.reads()::sql,
                                nodes.stream().map(Node::nodeId).toList())
                        .map(segments -> nodes.stream()
                                .map(node -> new Registered(node, of(node, segments), node.lastSeen()))
                                .toList()))
                .onErrorMap(Ledger::readError);
    }

    /** One node's segments; NOT_FOUND for an unknown node. */
    public Mono<List<Segment>> segments(UUID nodeId) {
        return rows.read(ledger.reads()::sql, nodeId)
                .switchIfEmpty(Mono.error(() -> new ProblemException(ProblemCode.NOT_FOUND, "no such node")))
                .flatMap(node -> rows.segments(ledger.reads()::sql, List.of(nodeId)))
                .onErrorMap(Ledger::readError);
    }

    private static List<Segment> of(Node node, List<Segment> segments) {
        return segments.stream()
                .filter(segment -> segment.nodeId().equals(node.nodeId()))
                .toList();
    }

    private static @Nullable Node first(List<Node> nodes) {
        return nodes.isEmpty() ? null : nodes.getFirst();
    }
}
