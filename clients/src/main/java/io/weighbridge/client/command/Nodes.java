package io.weighbridge.client.command;

import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.client.terminal.Sizes;
import io.weighbridge.client.terminal.Table;
import io.weighbridge.wire.NodePage;
import io.weighbridge.wire.NodeView;
import io.weighbridge.wire.SegmentView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the node agents and their segments. */
@Command(name = "nodes", description = "List the node agents and their segments.")
final class Nodes implements Callable<Integer> {

    @Mixin
    private Connection connection = new Connection();

    @Override
    public Integer call() {
        GatewayClient client = connection.client();
        List<NodeView> nodes = new ArrayList<>();
        ListRevisions.pages(client::nodes, page -> nodes.addAll(page.nodes()), NodePage::nextPageToken);
        Table table = Table.of("NODE", "STATE", "URL", "TIER", "SEGMENT", "USED", "CAPACITY", "EPOCH");
        for (NodeView node : nodes) {
            for (SegmentView segment : node.segments()) {
                table.row(
                        node.nodeId(),
                        node.state(),
                        node.url(),
                        segment.tier(),
                        segment.state(),
                        Sizes.bytes(segment.usedBytes()),
                        Sizes.bytes(segment.capacity()),
                        segment.segmentEpoch());
            }
        }
        connection.print(nodes, nodes.isEmpty() ? "No nodes." : table);
        return 0;
    }
}
