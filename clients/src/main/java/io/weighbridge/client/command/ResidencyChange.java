package io.weighbridge.client.command;

import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.wire.OperationView;
import io.weighbridge.wire.RevisionView;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts a residency operation and, unless told otherwise, waits for its end. */
abstract class ResidencyChange implements Callable<Integer> {

    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private RevisionSelector selector = new RevisionSelector();

    @Option(names = "--no-wait", description = "Start it and return.")
    private boolean noWait;

    @Option(
            names = "--limit",
            paramLabel = "SECONDS",
            defaultValue = "600",
            description = "How long to wait (default: 600).")
    private long limitSeconds;

    private final Residency target;

    ResidencyChange(Residency target) {
        this.target = target;
    }

    @Override
    public Integer call() {
        GatewayClient client = connection.client();
        RevisionView revision = selector.find(client);
        OperationView operation = client.residency(revision.revisionId(), revision.metadataGeneration(), target);
        if (noWait) {
            connection.print(operation, "Operation " + operation.operationId() + " has started.");
            return 0;
        }
        OperationView ended = Revisions.await(client, operation.operationId(), Duration.ofSeconds(limitSeconds));
        RevisionView now = client.revision(revision.revisionId());
        connection.print(now, Revisions.table(List.of(now)));
        return "completed".equals(ended.message()) ? 0 : 1;
    }
}
