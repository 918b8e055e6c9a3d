package io.weighbridge.client.weights;

import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.key.Sha256;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.manifest.ManifestWriter;
import io.weighbridge.manifest.StoredWeightManifest;
import io.weighbridge.manifest.packing.ObjectPlan;
import io.weighbridge.manifest.packing.PackingPlan;
import io.weighbridge.manifest.safetensors.Checkpoint;
import io.weighbridge.wire.BeginImport;
import io.weighbridge.wire.BegunImport;
import io.weighbridge.wire.ManifestReference;
import io.weighbridge.wire.RevisionView;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Publishes a checkpoint: begin, payloads in parallel, manifest last, commit. A publication that broke off is taken
 * over and continued by the next one of the same identity and content; nothing half-published is ever readable.
 */
public final class Publisher {

    private final GatewayClient gateway;
    private final PublishOptions options;
    private final Progress progress;

    public Publisher(GatewayClient gateway, PublishOptions options, Progress progress) {
        this.gateway = gateway;
        this.options = options;
        this.progress = progress;
    }

    /**
     * Publishes under an identity and returns the committed revision; a revision that is already published with the
     * same content is returned as it is.
     *
     * @throws io.weighbridge.manifest.ManifestException when the checkpoint is malformed or changes meanwhile
     * @throws ProblemException when the ledger or an agent refuses
     */
    public RevisionView publish(RevisionIdentity identity, Checkpoint checkpoint) throws IOException {
        PackingPlan plan = options.packing().plan(identity, checkpoint.tensors());
        try (ObjectBytes bytes = new ObjectBytes();
                ExecutorService workers = Executors.newFixedThreadPool(options.parallel())) {
            // Before the import begins: hashing may take longer than an import without a sign of life lasts.
            Map<String, String> digests = digests(plan, bytes, workers);
            checkpoint.requireUnchanged();
            BegunImport begun = begin(identity, plan);
            RevisionView revision = begun.revision();
            StoredWeightManifest manifest = plan.manifest(revision.createdAt(), digests, Map.of());
            byte[] manifestJson = ManifestWriter.write(manifest);
            ManifestReference reference = reference(manifest, manifestJson);
            if (revision.availability() == Availability.IMPORTING) {
                String importToken = Objects.requireNonNull(begun.importToken());
                try (ImportHeartbeat beating = new ImportHeartbeat(gateway, revision.revisionId(), importToken)) {
                    MemberUploads members =
                            new MemberUploads(gateway, options, progress, workers, revision, importToken);
                    progress.stage("upload", plan.logicalBytes());
                    members.put(payloadUploads(plan, digests, bytes));
                    checkpoint.requireUnchanged();
                    members.put(List.of(manifestUpload(manifest, manifestJson, reference.manifestSha256())));
                }
            }
            // On a published revision the commit is a no-op, or CONFLICT when the content is another one.
            long fence = revision.commitFence() == null ? revision.metadataGeneration() : revision.commitFence();
            RevisionView committed = Patience.with(() -> gateway.commit(revision.revisionId(), fence, reference));
            progress.finished();
            return committed;
        }
    }

    /** Begins, or takes over what an earlier publication left. */
    private BegunImport begin(RevisionIdentity identity, PackingPlan plan) {
        BegunImport begun = begin(identity, plan, null);
        boolean left = begun.revision().availability() == Availability.IMPORTING && begun.importToken() == null;
        return left ? begin(identity, plan, true) : begun;
    }

    private BegunImport begin(RevisionIdentity identity, PackingPlan plan, @Nullable Boolean takeover) {
        return Patience.with(() -> gateway.begin(new BeginImport(
                null,
                identity.namespace(),
                identity.resourceId(),
                identity.revision(),
                identity.weightGeneration(),
                plan.payloadCount(),
                plan.logicalBytes(),
                options.labels(),
                options.placement(),
                null,
                takeover)));
    }

    private static ManifestReference reference(StoredWeightManifest manifest, byte[] json) {
        return new ManifestReference(
                manifest.manifestKey(),
                Sha256.hex(json),
                manifest.payloadGroupId(),
                manifest.payloadKeysSha256(),
                manifest.payloadCount(),
                manifest.logicalBytes());
    }

    private Map<String, String> digests(PackingPlan plan, ObjectBytes bytes, ExecutorService workers)
            throws IOException {
        progress.stage("hash", plan.logicalBytes());
        List<Callable<Map.Entry<String, String>>> tasks = new ArrayList<>();
        for (ObjectPlan object : plan.objects()) {
            tasks.add(() -> {
                String digest = bytes.digest(object);
                progress.advance(object.size());
                return Map.entry(object.key(), digest);
            });
        }
        Map<String, String> digests = new HashMap<>();
        for (Map.Entry<String, String> digest : Workers.all(workers, tasks)) {
            digests.put(digest.getKey(), digest.getValue());
        }
        return digests;
    }

    private List<Upload> payloadUploads(PackingPlan plan, Map<String, String> digests, ObjectBytes bytes) {
        return plan.objects().stream()
                .map(object -> new Upload(
                        object.key(),
                        ObjectType.WEIGHT,
                        object.size(),
                        Objects.requireNonNull(digests.get(object.key())),
                        offset -> bytes.open(object, offset)))
                .toList();
    }

    private static Upload manifestUpload(StoredWeightManifest manifest, byte[] json, String sha256) {
        return new Upload(
                manifest.manifestKey(),
                ObjectType.METADATA,
                json.length,
                sha256,
                offset -> new ByteArrayInputStream(json, (int) offset, json.length - (int) offset));
    }
}
