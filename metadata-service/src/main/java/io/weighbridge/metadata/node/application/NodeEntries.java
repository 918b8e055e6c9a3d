package io.weighbridge.metadata.node.application;

import io.weighbridge.ledger.store.OplogEntry;
import io.weighbridge.ledger.vocabulary.EntryKind;
import io.weighbridge.ledger.vocabulary.NodeState;
import io.weighbridge.metadata.node.domain.Node;
import io.weighbridge.metadata.node.domain.Segment;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;

/** The oplog entries of nodes (spec 1.9): their states and their segments', never heartbeats. */
final class NodeEntries {

    private final JsonMapper json;

    NodeEntries(JsonMapper json) {
        this.json = json;
    }

    /** A node's full state. */
    record NodePost(
            UUID nodeId,
            UUID agentIncarnation,
            String url,
            Map<String, String> labels,
            String hostBootId,
            NodeState state,
            String subject,
            Instant registeredAt,
            List<Segment> segments) {}

    OplogEntry changed(Node node, List<Segment> segments, String subject) {
        List<Segment> own = segments.stream()
                .filter(segment -> segment.nodeId().equals(node.nodeId()))
                .sorted(Comparator.comparing(Segment::segmentId))
                .toList();
        NodePost post = new NodePost(
                node.nodeId(),
                node.agentIncarnation(),
                node.url(),
                node.labels(),
                node.hostBootId(),
                node.state(),
                node.subject(),
                node.registeredAt(),
                own);
        return new OplogEntry(
                EntryKind.NodeStateChanged,
                node.nodeId().toString(),
                node.version(),
                "",
                null,
                node.nodeId(),
                subject,
                json.writeValueAsString(post));
    }
}
