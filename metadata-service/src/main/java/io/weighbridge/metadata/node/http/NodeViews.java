package io.weighbridge.metadata.node.http;

import io.weighbridge.metadata.node.application.NodeHandler.Registered;
import io.weighbridge.metadata.node.domain.Node;
import io.weighbridge.metadata.node.domain.Segment;
import io.weighbridge.wire.NodeView;
import io.weighbridge.wire.SegmentView;
import java.util.List;

/** Nodes and segments as bodies. */
final class NodeViews {

    private NodeViews() {}

    static NodeView view(Registered registered) {
        Node node = registered.node();
        return new NodeView(
                node.nodeId(),
                node.agentIncarnation(),
                node.url(),
                node.labels(),
                node.state(),
                node.lastHeartbeat(),
                node.registeredAt(),
                views(registered.segments()));
    }

    static List<SegmentView> views(List<Segment> segments) {
        return segments.stream().map(NodeViews::view).toList();
    }

    static SegmentView view(Segment segment) {
        return new SegmentView(
                segment.segmentId(),
                segment.nodeId(),
                segment.tier(),
                segment.state(),
                segment.epoch(),
                segment.capacity(),
                segment.usedBytes());
    }
}
