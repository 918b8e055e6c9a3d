package io.weighbridge.client.command;

import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.client.terminal.Sizes;
import io.weighbridge.client.terminal.Table;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.wire.ManifestReference;
import io.weighbridge.wire.OperationView;
import io.weighbridge.wire.RevisionView;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/** Revisions as the command line shows and awaits them. */
final class Revisions {

    /** How long the gateway is asked to wait for a change. */
    static final Duration LONG_POLL = Duration.ofSeconds(10);

    private static final Duration PAUSE = Duration.ofMillis(200);

    private Revisions() {}

    static Table table(List<RevisionView> revisions) {
        Table table = Table.of(
                "NAMESPACE", "RESOURCE", "REVISION", "GEN", "AVAILABILITY", "RESIDENCY", "OPERATION", "SIZE", "ID");
        for (RevisionView revision : revisions) {
            table.row(
                    revision.namespace(),
                    revision.resourceId(),
                    revision.revision(),
                    revision.weightGeneration(),
                    revision.availability(),
                    revision.residency(),
                    revision.operation(),
                    Sizes.bytes(bytes(revision)),
                    revision.revisionId());
        }
        return table;
    }

    static long bytes(RevisionView revision) {
        ManifestReference manifest = revision.manifest();
        return manifest == null ? revision.expectedLogicalBytes() : manifest.logicalBytes();
    }

    /** Waits until the operation is no longer the revision's current one; the last word is its message. */
    static OperationView await(GatewayClient client, UUID operationId, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        OperationView operation = client.operation(operationId, LONG_POLL);
        while (operation.active()) {
            if (System.nanoTime() - deadline > 0) {
                throw new ProblemException(
                        ProblemCode.DEADLINE_EXCEEDED,
                        "operation " + operationId + " goes on: " + operation.processedMembers() + " of "
                                + operation.totalMembers() + " members are done");
            }
            operation = client.operation(operationId, LONG_POLL);
        }
        return operation;
    }

    /** Before something that failed, or that nobody tells, is looked at again. */
    static void pause() {
        LockSupport.parkNanos(PAUSE.toNanos());
    }
}
