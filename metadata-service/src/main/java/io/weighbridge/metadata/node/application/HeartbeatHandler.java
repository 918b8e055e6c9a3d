package io.weighbridge.metadata.node.application;

import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.store.GroupCommit;
import io.weighbridge.ledger.store.GroupCommit.Outcome;
import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.ledger.store.OplogEntry;
import io.weighbridge.metadata.node.domain.Node;
import io.weighbridge.metadata.node.domain.NodeDecider;
import io.weighbridge.metadata.node.domain.NodeEvent;
import io.weighbridge.metadata.node.domain.Segment;
import io.weighbridge.metadata.node.postgres.NodeProjection;
import io.weighbridge.metadata.node.postgres.NodeRows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Heartbeats, many in one transaction, each writing one time; what the agents shall do is answered with them. */
public final class HeartbeatHandler {

    /** The most extents and tokens that one answer names; the next answer goes on. */
    private static final int WISHES_MAX = 2000;

    private static final GroupCommit.Limits LIMITS = new GroupCommit.Limits(256, 1, 20_000);

    private final Ledger ledger;
    private final NodeRows rows;
    private final NodeProjection projection;
    private final NodeEntries entries;
    private final GroupCommit<Beat, Answer> commit;

    public HeartbeatHandler(Ledger ledger, JsonMapper json) {
        this.ledger = ledger;
        this.rows = new NodeRows(json);
        this.projection = new NodeProjection(json);
        this.entries = new NodeEntries(json);
        this.commit = new GroupCommit<>(LIMITS, this::together, this::alone);
    }

    /**
     * One agent's heartbeat.
     *
     * @param failures I/O failures since the last one, by segment
     */
    public record Beat(UUID nodeId, UUID agentIncarnation, String subject, Map<UUID, Long> failures) {}

    /** What an agent is answered. */
    public sealed interface Answer {

        /**
         * @param reclaim copies whose extents the agent frees
         * @param close copies whose tokens the agent closes
         * @param keysVersion the node's newest key; 0 while it has none
         */
        record Taken(Instant now, List<UUID> reclaim, List<UUID> close, int keysVersion) implements Answer {}

        /** The agent is not, or not any more, who it says. */
        record Refused(Problem problem) implements Answer {}
    }

    /** Answers after the commit. */
    public Mono<Answer.Taken> beat(Beat beat) {
        return commit.submit(beat).map(answer -> switch (answer) {
            case Answer.Taken taken -> taken;
            case Answer.Refused(Problem problem) -> throw new ProblemException(problem);
        });
    }

    private Mono<Answer> alone(Beat beat) {
        return together(List.of(beat)).map(outcomes -> switch (outcomes.getFirst()) {
            case Outcome.Answered<Answer>(Answer answer) -> answer;
            case Outcome.Contended<Answer>() -> throw new IllegalStateException("heartbeats take no guard");
        });
    }

    private Mono<List<Outcome<Answer>>> together(List<Beat> beats) {
        return ledger.transact(Guards.none(), tx -> {
            Set<UUID> ids = beats.stream().map(Beat::nodeId).collect(Collectors.toCollection(TreeSet::new));
            return rows.lock(tx::sql, ids).flatMap(nodes -> run(tx, beats, nodes));
        });
    }

    private Mono<List<Outcome<Answer>>> run(LedgerTransaction tx, List<Beat> beats, List<Node> locked) {
        Map<UUID, Node> before = new HashMap<>();
        locked.forEach(node -> before.put(node.nodeId(), node));
        Map<UUID, Long> failures = new HashMap<>();
        Map<UUID, Node> after = new LinkedHashMap<>();
        List<Optional<Problem>> verdicts = new ArrayList<>(beats.size());
        for (Beat beat : beats) {
            Node node = before.get(beat.nodeId());
            Optional<Problem> refusal = NodeDecider.refusesAgent(node, beat.subject(), beat.agentIncarnation());
            verdicts.add(refusal);
            if (node != null && refusal.isEmpty()) {
                after.put(beat.nodeId(), NodeDecider.heartbeat(node, tx.now()));
                beat.failures().forEach((segment, count) -> failures.merge(segment, count, Long::sum));
            }
        }
        List<Node> changed = after.values().stream()
                .filter(node -> node.version() != version(before, node))
                .toList();
        return write(tx, after.keySet(), changed, failures)
                .then(Mono.defer(() -> answers(tx, after.keySet())))
                .map(answers -> outcomes(beats, verdicts, answers));
    }

    private static long version(Map<UUID, Node> before, Node node) {
        Node old = before.get(node.nodeId());
        return old == null ? 0 : old.version();
    }

    private Mono<Void> write(
            LedgerTransaction tx, Collection<UUID> beating, List<Node> changed, Map<UUID, Long> failures) {
        if (beating.isEmpty()) {
            return Mono.empty();
        }
        Mono<Void> beats = projection.beat(tx::sql, beating, tx.now());
        boolean failing = failures.values().stream().anyMatch(count -> count > 0);
        if (changed.isEmpty() && !failing) {
            return beats;
        }
        return beats.then(projection.states(tx::sql, changed))
                .then(rows.segments(tx::sql, beating))
                .flatMap(segments -> failures(tx, changed, segments, failures));
    }

    /** Counts are rare and approximate: only segments that fail, or have failed, are written. */
    private Mono<Void> failures(
            LedgerTransaction tx, List<Node> changed, List<Segment> segments, Map<UUID, Long> failures) {
        List<NodeEvent> events = new ArrayList<>();
        List<Segment> after = new ArrayList<>();
        Set<UUID> quarantined = new HashSet<>();
        for (Segment segment : segments) {
            Segment counted = NodeDecider.failures(segment, failures.getOrDefault(segment.segmentId(), 0L));
            after.add(counted);
            if (!counted.equals(segment)) {
                events.add(new NodeEvent.SegmentChanged(counted));
            }
            if (counted.state() != segment.state()) {
                quarantined.add(segment.nodeId());
            }
        }
        List<OplogEntry> log = changed.stream()
                .map(node -> entries.changed(node, after, node.subject()))
                .toList();
        return projection
                .write(tx::sql, events)
                .then(tx.append(log))
                .then(Mono.defer(() -> touch(tx, quarantined, after)));
    }

    private Mono<Void> touch(LedgerTransaction tx, Set<UUID> quarantined, List<Segment> segments) {
        if (quarantined.isEmpty()) {
            return Mono.empty();
        }
        return rows.lock(tx::sql, quarantined).flatMap(nodes -> {
            List<Node> touched = nodes.stream().map(Node::touched).toList();
            List<OplogEntry> log = touched.stream()
                    .map(node -> entries.changed(node, segments, node.subject()))
                    .toList();
            return projection.states(tx::sql, touched).then(tx.append(log));
        });
    }

    private Mono<Map<UUID, Answer>> answers(LedgerTransaction tx, Collection<UUID> nodes) {
        if (nodes.isEmpty()) {
            return Mono.just(Map.of());
        }
        return rows.wishes(tx::sql, nodes, WISHES_MAX)
                .collectList()
                .flatMap(wishes -> rows.keyVersions(tx::sql, nodes).map(versions -> {
                    Map<UUID, Answer> answers = new HashMap<>();
                    for (UUID node : nodes) {
                        answers.put(
                                node,
                                new Answer.Taken(
                                        tx.now(),
                                        of(wishes, node, false),
                                        of(wishes, node, true),
                                        versions.getOrDefault(node, 0)));
                    }
                    return answers;
                }));
    }

    private static List<UUID> of(List<NodeRows.Wish> wishes, UUID node, boolean close) {
        return wishes.stream()
                .filter(wish -> wish.nodeId().equals(node) && wish.close() == close)
                .map(NodeRows.Wish::replicaId)
                .toList();
    }

    private static List<Outcome<Answer>> outcomes(
            List<Beat> beats, List<Optional<Problem>> verdicts, Map<UUID, Answer> answers) {
        List<Outcome<Answer>> outcomes = new ArrayList<>(beats.size());
        for (int i = 0; i < beats.size(); i++) {
            Answer taken = answers.get(beats.get(i).nodeId());
            Optional<Problem> refusal = verdicts.get(i);
            outcomes.add(new Outcome.Answered<>(
                    refusal.isPresent() || taken == null ? new Answer.Refused(refusal.orElseThrow()) : taken));
        }
        return outcomes;
    }
}
