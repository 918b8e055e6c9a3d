package io.weighbridge.client.command;

import io.weighbridge.client.weights.PublishOptions;
import io.weighbridge.client.weights.Publisher;
import io.weighbridge.manifest.packing.Packing;
import io.weighbridge.manifest.safetensors.Checkpoint;
import io.weighbridge.wire.Placement;
import io.weighbridge.wire.RevisionView;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Publishes a checkpoint directory as one immutable revision. */
@Command(
        name = "publish",
        description = "Publish a safetensors checkpoint as one immutable revision."
                + " Run it again to continue one that broke off.")
final class Publish implements Callable<Integer> {

    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private IdentityOptions identity = new IdentityOptions();

    @Parameters(
            paramLabel = "DIR",
            description = "A checkpoint directory (Hugging Face layout) or one .safetensors file.")
    private Path directory = Path.of("");

    @Option(
            names = {"-l", "--label"},
            paramLabel = "KEY=VALUE",
            description = "Kept with the revision; at most 32.")
    private Map<String, String> labels = Map.of();

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

    @Option(
            names = "--object-mib",
            paramLabel = "N",
            defaultValue = "256",
            description = "How large objects shall become (default: 256).")
    private long objectMib;

    @Option(names = "--parallel", paramLabel = "N", defaultValue = "4", description = "Uploads at a time (default: 4).")
    private int parallel;

    @Override
    public Integer call() throws Exception {
        PublishOptions options = new PublishOptions(
                Packing.DEFAULT.withTarget(objectMib << 20),
                new Placement(memoryReplicas, coldReplicas, nodes, null),
                nodes == null || nodes.isEmpty() ? null : nodes.getFirst(),
                labels,
                Math.max(1, parallel));
        Publisher publisher = new Publisher(connection.client(), options, connection.progress());
        RevisionView revision = publisher.publish(identity.identity(), Checkpoint.open(directory));
        connection.print(revision, Revisions.table(List.of(revision)));
        return 0;
    }
}
