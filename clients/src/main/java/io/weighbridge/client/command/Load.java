package io.weighbridge.client.command;

import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.client.weights.HeldLease;
import io.weighbridge.client.weights.RevisionReader;
import io.weighbridge.client.weights.SafetensorsOutput;
import io.weighbridge.manifest.StoredWeightManifest;
import io.weighbridge.wire.RevisionView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reads a revision under a lease into a checkpoint directory. */
@Command(
        name = "load",
        description = "Read a revision under a lease into a checkpoint directory; every byte is verified.")
final class Load implements Callable<Integer> {

    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private RevisionSelector selector = new RevisionSelector();

    @Option(names = "--to", paramLabel = "DIR", required = true, description = "Must not hold a checkpoint yet.")
    private Path directory = Path.of("");

    @Option(names = "--from-node", paramLabel = "NODE_ID", description = "Read copies on this node only.")
    private @Nullable UUID node;

    @Option(names = "--parallel", paramLabel = "N", defaultValue = "4", description = "Objects at a time (default: 4).")
    private int parallel;

    @Override
    public Integer call() throws Exception {
        GatewayClient client = connection.client();
        RevisionView revision = selector.find(client);
        String holder = "load-" + UUID.randomUUID();
        try (HeldLease lease = HeldLease.acquire(client, revision, holder, Duration.ofSeconds(30))) {
            RevisionReader reader = new RevisionReader(client, Math.max(1, parallel), node, connection.progress());
            StoredWeightManifest manifest = reader.manifest(lease.revision());
            try (SafetensorsOutput output = new SafetensorsOutput(directory, manifest)) {
                reader.read(manifest, lease, output);
                output.finish();
            }
            connection.print(
                    Map.of(
                            "revision_id", revision.revisionId(),
                            "directory", directory.toString(),
                            "tensors", manifest.tensors().size(),
                            "bytes", manifest.logicalBytes()),
                    "Loaded " + manifest.tensors().size() + " tensors into " + directory);
        }
        return 0;
    }
}
