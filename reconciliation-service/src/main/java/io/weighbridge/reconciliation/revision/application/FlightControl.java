package io.weighbridge.reconciliation.revision.application;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.vocabulary.NodeState;
import io.weighbridge.ledger.vocabulary.ReplicaState;
import io.weighbridge.reconciliation.revision.calls.Agents;
import io.weighbridge.wire.MemberView;
import io.weighbridge.wire.NodeView;
import io.weighbridge.wire.ReplicaView;
import io.weighbridge.wire.Situation;
import io.weighbridge.wire.Transfer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Tells which of the copies that are not complete are still being made. The agent that should make them is asked: one
 * that it does not know, or has failed at, is abandoned. While it cannot be reached nothing is concluded, until the
 * ledger calls its node dead.
 */
final class FlightControl {

    private static final int AGENTS_AT_A_TIME = 8;

    /** An agent lists this many at most: of what a full list does not show, nothing can be said. */
    private static final int FULL_LIST = 1000;

    private final Agents agents;
    private final Setbacks setbacks;

    FlightControl(Agents agents, Setbacks setbacks) {
        this.agents = agents;
        this.setbacks = setbacks;
    }

    /** The copies that nobody makes any more. */
    Mono<Set<UUID>> abandoned(RevisionId revision, Situation situation) {
        Map<UUID, Set<UUID>> inFlight = inFlight(situation);
        if (situation.operation() == null || inFlight.isEmpty()) {
            return Mono.just(Set.of());
        }
        Map<UUID, NodeView> nodes =
                situation.nodes().stream().collect(Collectors.toMap(NodeView::nodeId, node -> node));
        return Flux.fromIterable(inFlight.entrySet())
                .flatMap(
                        entry -> {
                            NodeView node = nodes.get(entry.getKey());
                            return node == null || node.state() == NodeState.DEAD
                                    ? Mono.just(entry.getValue())
                                    : ask(revision, node, entry.getValue());
                        },
                        AGENTS_AT_A_TIME)
                .collect(HashSet<UUID>::new, Set::addAll)
                .map(Set::copyOf);
    }

    private Mono<Set<UUID>> ask(RevisionId revision, NodeView node, Set<UUID> copies) {
        return agents.list(node.nodeId(), node.url())
                .map(known -> judge(revision, node.nodeId(), copies, known.transfers()))
                .onErrorResume(ProblemException.class, _ -> Mono.just(Set.of()));
    }

    private Set<UUID> judge(RevisionId revision, UUID nodeId, Set<UUID> copies, List<Transfer> known) {
        Map<UUID, Transfer> latest = new HashMap<>();
        known.forEach(transfer -> latest.putIfAbsent(transfer.replicaId(), transfer));
        Set<UUID> abandoned = new HashSet<>();
        for (UUID copy : copies) {
            Transfer transfer = latest.get(copy);
            if (transfer == null ? known.size() < FULL_LIST : hasFailed(transfer)) {
                abandoned.add(copy);
            }
            if (transfer != null && hasFailed(transfer) && transfer.code() != ProblemCode.LEASE_EXPIRED) {
                setbacks.add(revision, nodeId);
            }
        }
        return abandoned;
    }

    private static boolean hasFailed(Transfer transfer) {
        return switch (transfer.state()) {
            case FAILED, CANCELLED -> true;
            case QUEUED, RUNNING, VERIFYING, DONE -> false;
        };
    }

    private static Map<UUID, Set<UUID>> inFlight(Situation situation) {
        Map<UUID, Set<UUID>> byNode = new HashMap<>();
        for (MemberView member : situation.members()) {
            for (ReplicaView replica : member.replicas()) {
                if (replica.state() == ReplicaState.INITIALIZED || replica.state() == ReplicaState.PROCESSING) {
                    byNode.computeIfAbsent(replica.nodeId(), _ -> new HashSet<>())
                            .add(replica.replicaId());
                }
            }
        }
        return byNode;
    }
}
