package io.weighbridge.metadata.revision;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.metadata.revision.domain.ManifestReference;
import io.weighbridge.metadata.revision.domain.Operation;
import io.weighbridge.metadata.revision.domain.Placement;
import io.weighbridge.metadata.revision.domain.Revision.Publication;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import io.weighbridge.wire.OperationView;
import io.weighbridge.wire.RevisionView;
import org.jspecify.annotations.Nullable;

/** The machine's states as the wire shows them, in answers and in oplog entries alike. */
public final class RevisionViews {

    private RevisionViews() {}

    public static RevisionView of(Registered revision) {
        Publication publication = revision.publication();
        Operation operation = revision.operation();
        return new RevisionView(
                revision.id().hex(),
                revision.identity().tenantId(),
                revision.identity().namespace(),
                revision.identity().resourceId(),
                revision.identity().revision(),
                revision.identity().weightGeneration(),
                revision.summary().payloadCount(),
                revision.summary().logicalBytes(),
                revision.identity().payloadGroupId(),
                revision.identity().manifestKey(),
                publication == null ? null : of(publication.manifest()),
                publication == null ? null : (Long) publication.commitFence(),
                revision.availability(),
                revision.residency(),
                operation == null ? OperationKind.NONE : operation.kind(),
                operation == null ? null : operation.operationId(),
                revision.generation(),
                revision.labels(),
                of(revision.placement()),
                revision.createdAt(),
                revision.updatedAt(),
                publication == null ? null : publication.committedAt(),
                revision.drainDeadline());
    }

    public static OperationView of(RevisionId revision, Operation operation) {
        return new OperationView(
                operation.operationId(),
                revision.hex(),
                operation.kind(),
                operation.targetResidency(),
                operation.active(),
                operation.automatic(),
                operation.fencedGeneration(),
                operation.startedAt(),
                operation.updatedAt(),
                operation.processedMembers(),
                operation.totalMembers(),
                operation.cursor(),
                operation.message());
    }

    private static io.weighbridge.wire.ManifestReference of(ManifestReference manifest) {
        return new io.weighbridge.wire.ManifestReference(
                manifest.manifestKey(),
                manifest.manifestSha256(),
                manifest.payloadGroupId(),
                manifest.payloadKeysSha256(),
                manifest.payloadCount(),
                manifest.logicalBytes());
    }

    private static io.weighbridge.wire.Placement of(Placement placement) {
        return new io.weighbridge.wire.Placement(
                placement.memoryReplicas(), placement.coldReplicas(), placement.nodes(), placement.nodeLabels());
    }

    /** The reference as the machine checks it. */
    public static ManifestReference manifest(io.weighbridge.wire.ManifestReference manifest) {
        return new ManifestReference(
                manifest.manifestKey(),
                manifest.manifestSha256(),
                manifest.payloadGroupId(),
                manifest.payloadKeysSha256(),
                manifest.payloadCount(),
                manifest.logicalBytes());
    }

    /** The placement as the machine checks it. */
    public static @Nullable Placement placement(io.weighbridge.wire.@Nullable Placement placement) {
        return placement == null
                ? null
                : new Placement(
                        placement.memoryReplicas(),
                        placement.coldReplicas(),
                        placement.nodes(),
                        placement.nodeLabels());
    }
}
