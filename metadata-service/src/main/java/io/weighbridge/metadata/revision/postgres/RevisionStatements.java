package io.weighbridge.metadata.revision.postgres;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.metadata.revision.domain.ManifestReference;
import io.weighbridge.metadata.revision.domain.Operation;
import io.weighbridge.metadata.revision.domain.Placement;
import io.weighbridge.metadata.revision.domain.Revision.Publication;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import reactor.core.publisher.Mono;

/** The statements that write {@code metadata.revision}. */
final class RevisionStatements {

    private static final String INSERT = """
            INSERT INTO metadata.revision (
                revision_id, tenant_id, namespace, resource_id, revision, weight_generation, namespace_hash,
                resource_hash, expected_payload_count, expected_logical_bytes, payload_group_id, manifest_key,
                availability, residency, operation, metadata_generation, labels, memory_replicas, cold_replicas,
                placement_nodes, placement_labels, last_residency_target, import_token_hash, import_subject,
                created_at, updated_at)
            VALUES (
                :id, :tenant, :namespace, :resource, :revision, :weight_generation, :namespace_hash,
                :resource_hash, :payload_count, :logical_bytes, :group, :manifest_key,
                :availability, :residency, 'NONE', :generation, CAST(:labels AS jsonb), :memory, :cold,
                :nodes, CAST(:node_labels AS jsonb), :last_target, :token_hash, :subject,
                :created_at, :updated_at)
            """;

    private static final String UPDATE = """
            UPDATE metadata.revision
               SET manifest_sha256 = :manifest_sha256, payload_keys_sha256 = :payload_keys_sha256,
                   payload_count = :payload_count, logical_bytes = :logical_bytes, commit_fence = :commit_fence,
                   committed_at = :committed_at, availability = :availability, residency = :residency,
                   operation = :operation, operation_id = :operation_id, metadata_generation = :generation,
                   memory_replicas = :memory, cold_replicas = :cold, placement_nodes = :nodes,
                   placement_labels = CAST(:node_labels AS jsonb), last_residency_target = :last_target,
                   drain_deadline = :drain_deadline, updated_at = :updated_at
             WHERE revision_id = :id AND metadata_generation = :fence
            """;

    private static final String TAKE_OVER = """
            UPDATE metadata.revision SET import_token_hash = :token_hash, import_subject = :subject
             WHERE revision_id = :id AND availability = 'IMPORTING'
            """;

    private RevisionStatements() {}

    static Mono<Void> insert(LedgerTransaction tx, Registered revision) {
        RevisionIdentity identity = revision.identity();
        GenericExecuteSpec statement = tx.sql(INSERT)
                .bind("id", revision.id().hex())
                .bind("tenant", identity.tenantId())
                .bind("namespace", identity.namespace())
                .bind("resource", identity.resourceId())
                .bind("revision", identity.revision())
                .bind("weight_generation", identity.weightGeneration())
                .bind("namespace_hash", ResourceHashes.namespace(identity.tenantId(), identity.namespace()))
                .bind(
                        "resource_hash",
                        ResourceHashes.resource(identity.tenantId(), identity.namespace(), identity.resourceId()))
                .bind("payload_count", revision.summary().payloadCount())
                .bind("logical_bytes", revision.summary().logicalBytes())
                .bind("group", identity.payloadGroupId())
                .bind("manifest_key", identity.manifestKey())
                .bind("labels", String.valueOf(Columns.json(revision.labels())))
                .bind("token_hash", revision.session().tokenHash())
                .bind("subject", revision.session().subject())
                .bind("created_at", revision.createdAt());
        return bindState(statement, revision).then();
    }

    /** @param fence the generation that the row must still have */
    static Mono<Long> update(LedgerTransaction tx, long fence, Registered after) {
        Publication publication = after.publication();
        ManifestReference manifest = publication == null ? null : publication.manifest();
        Operation operation = after.operation();
        GenericExecuteSpec statement = tx.sql(UPDATE)
                .bind("id", after.id().hex())
                .bind("fence", fence)
                .bind("operation", operation == null ? "NONE" : operation.kind().name());
        statement = text(statement, "manifest_sha256", manifest == null ? null : manifest.manifestSha256());
        statement = text(statement, "payload_keys_sha256", manifest == null ? null : manifest.payloadKeysSha256());
        statement = count(statement, "payload_count", manifest == null ? null : (Long) manifest.payloadCount());
        statement = count(statement, "logical_bytes", manifest == null ? null : (Long) manifest.logicalBytes());
        statement = count(statement, "commit_fence", publication == null ? null : (Long) publication.commitFence());
        statement = time(statement, "committed_at", publication == null ? null : publication.committedAt());
        statement = time(statement, "drain_deadline", after.drainDeadline());
        statement = Bindings.orNull(
                statement, "operation_id", operation == null ? null : operation.operationId(), UUID.class);
        return bindState(statement, after).fetch().rowsUpdated();
    }

    static Mono<Void> takeOver(LedgerTransaction tx, Registered after) {
        return tx.sql(TAKE_OVER)
                .bind("id", after.id().hex())
                .bind("token_hash", after.session().tokenHash())
                .bind("subject", after.session().subject())
                .then();
    }

    private static GenericExecuteSpec bindState(GenericExecuteSpec statement, Registered revision) {
        Placement placement = revision.placement();
        GenericExecuteSpec bound = statement
                .bind("availability", revision.availability().name())
                .bind("residency", revision.residency().name())
                .bind("last_target", revision.lastTarget().name())
                .bind("generation", revision.generation())
                .bind("memory", placement.memoryReplicas())
                .bind("cold", placement.coldReplicas())
                .bind("updated_at", revision.updatedAt());
        bound = Bindings.orNull(bound, "nodes", Bindings.array(placement.nodes()), UUID[].class);
        return text(bound, "node_labels", Columns.json(placement.nodeLabels()));
    }

    private static GenericExecuteSpec text(GenericExecuteSpec statement, String name, @Nullable String value) {
        return Bindings.orNull(statement, name, value, String.class);
    }

    private static GenericExecuteSpec count(GenericExecuteSpec statement, String name, @Nullable Long value) {
        return Bindings.orNull(statement, name, value, Long.class);
    }

    private static GenericExecuteSpec time(GenericExecuteSpec statement, String name, @Nullable Instant value) {
        return Bindings.orNull(statement, name, value, Instant.class);
    }
}
