package io.weighbridge.client.command;

import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.wire.RevisionView;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Deletes a revision; a tombstone remains and its identity stays burnt. */
@Command(
        name = "delete",
        description = "Delete a revision, or abort its import; a tombstone remains and its identity stays burnt.")
final class Delete implements Callable<Integer> {

    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private RevisionSelector selector = new RevisionSelector();

    @Option(
            names = "--wait-for-leases",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "Let readers finish (default); --no-wait-for-leases refuses while one reads.")
    private boolean waitForLeases;

    @Option(
            names = "--drain",
            paramLabel = "SECONDS",
            defaultValue = "600",
            description = "How long leases may be renewed (default: 600).")
    private long drainSeconds;

    @Option(names = "--no-wait", description = "Start it and return.")
    private boolean noWait;

    @Override
    public Integer call() {
        GatewayClient client = connection.client();
        RevisionView revision = selector.find(client);
        Duration drain = Duration.ofSeconds(drainSeconds);
        RevisionView deleting = revision.availability() == Availability.IMPORTING
                ? client.abort(revision.revisionId(), revision.metadataGeneration())
                : client.delete(revision.revisionId(), revision.metadataGeneration(), waitForLeases, drain, null);
        long deadline = System.nanoTime() + drain.plusMinutes(5).toNanos();
        while (!noWait && deleting.availability() != Availability.DELETED && System.nanoTime() - deadline < 0) {
            deleting = client.revisionAtRest(revision.revisionId(), Revisions.LONG_POLL);
        }
        connection.print(deleting, Revisions.table(List.of(deleting)));
        return noWait || deleting.availability() == Availability.DELETED ? 0 : 1;
    }
}
