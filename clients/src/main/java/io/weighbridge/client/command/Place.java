package io.weighbridge.client.command;

import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.wire.Placement;
import io.weighbridge.wire.RevisionView;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says how many copies a revision wants and where; the reconciler makes it so. */
@Command(name = "place", description = "Say how many copies a revision wants and where; the reconciler makes it so.")
final class Place implements Callable<Integer> {

    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private RevisionSelector selector = new RevisionSelector();

    @Option(
            names = "--memory-replicas",
            paramLabel = "N",
            defaultValue = "1",
            description = "Copies in memory (default: 1).")
    private int memoryReplicas;

    @Option(
            names = "--cold-replicas",
            paramLabel = "N",
            defaultValue = "0",
            description = "Copies on cold tiers (default: 0).")
    private int coldReplicas;

    @Option(names = "--node", paramLabel = "NODE_ID", description = "The only nodes that may hold copies; repeatable.")
    private @Nullable List<UUID> nodes;

    @Override
    public Integer call() {
        GatewayClient client = connection.client();
        RevisionView revision = selector.find(client);
        RevisionView placed = client.placement(
                revision.revisionId(),
                revision.metadataGeneration(),
                new Placement(memoryReplicas, coldReplicas, nodes, null));
        connection.print(placed, Revisions.table(List.of(placed)));
        return 0;
    }
}
