package io.weighbridge.metadata.node.domain;

import io.weighbridge.ledger.vocabulary.NodeState;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A host with its agent (spec 2.6).
 *
 * @param agentIncarnation of the agent's latest start; others are refused
 * @param subject who has registered it; nobody else may speak for it
 * @param version grows with each change that the oplog tells
 * @param registeredAt of this incarnation
 * @param lastHeartbeat a registration counts as one
 */
public record Node(
        UUID nodeId,
        UUID agentIncarnation,
        String url,
        Map<String, String> labels,
        String hostBootId,
        NodeState state,
        String subject,
        long version,
        Instant registeredAt,
        @Nullable Instant lastHeartbeat) {

    public Node {
        labels = Map.copyOf(labels);
    }

    /** The last sign of life. */
    public Instant lastSeen() {
        return lastHeartbeat == null ? registeredAt : lastHeartbeat;
    }

    /** The same in another state, one version on. */
    public Node in(NodeState next) {
        return new Node(
                nodeId,
                agentIncarnation,
                url,
                labels,
                hostBootId,
                next,
                subject,
                version + 1,
                registeredAt,
                lastHeartbeat);
    }

    /** One version on: its segments have changed. */
    public Node touched() {
        return in(state);
    }

    Node beaten(Instant at) {
        return new Node(nodeId, agentIncarnation, url, labels, hostBootId, state, subject, version, registeredAt, at);
    }
}
