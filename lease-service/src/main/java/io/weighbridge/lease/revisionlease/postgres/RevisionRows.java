package io.weighbridge.lease.revisionlease.postgres;

import static io.weighbridge.lease.revisionlease.postgres.LeaseRows.required;

import io.r2dbc.spi.Readable;
import io.weighbridge.lease.revisionlease.domain.LeaseState;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.wire.ManifestReference;
import io.weighbridge.wire.Placement;
import io.weighbridge.wire.RevisionView;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Reads revisions through metadata-service's view, after their guards were taken. */
public final class RevisionRows {

    private static final String DECISIVE = """
            SELECT r.revision_id, r.tenant_id, r.metadata_generation, r.availability, r.operation, r.drain_deadline,
                   greatest(date_trunc('milliseconds', clock_timestamp()), r.updated_at) AS now
            """;

    private static final String WHOLE = """
            SELECT r.revision_id, r.tenant_id, r.metadata_generation, r.availability, r.operation, r.drain_deadline,
                   greatest(date_trunc('milliseconds', clock_timestamp()), r.updated_at) AS now,
                   r.namespace, r.resource_id, r.revision, r.weight_generation, r.expected_payload_count,
                   r.expected_logical_bytes, r.payload_group_id, r.manifest_key, r.manifest_sha256,
                   r.payload_keys_sha256, r.payload_count, r.logical_bytes, r.commit_fence, r.residency, r.operation_id,
                   r.labels::text AS labels, r.memory_replicas, r.cold_replicas, r.placement_nodes,
                   r.placement_labels::text AS placement_labels, r.created_at, r.updated_at, r.committed_at
            """;

    private static final String WANTED = """
              FROM unnest(:revisions::text[], :tenants::text[]) AS w(revision_id, tenant_id)
              JOIN metadata.revision_v1 r ON r.revision_id = w.revision_id
               AND (w.tenant_id IS NULL OR r.tenant_id = w.tenant_id)
            """;

    private static final TypeReference<Map<String, String>> TEXTS = new TypeReference<>() {};

    /** A revision as one caller wants it. A tenant of null is any. */
    public record Wanted(RevisionId revisionId, @Nullable String tenantId) {}

    /**
     * What was seen of a revision.
     *
     * @param now the database's clock after the guard, but not before the row's own last time
     * @param view the whole row, where it was asked for
     */
    public record Seen(
            LeaseState.Revision revision,
            Instant now,
            @Nullable RevisionView view) {}

    private final JsonMapper json;

    public RevisionRows(JsonMapper json) {
        this.json = json;
    }

    /** Those that exist and whose tenant is the wanted one, by id. */
    public Mono<Map<RevisionId, Seen>> load(LedgerTransaction tx, Collection<Wanted> wanted, boolean whole) {
        return tx.sql((whole ? WHOLE : DECISIVE) + WANTED)
                .bind(
                        "revisions",
                        LedgerTransaction.column(wanted, w -> w.revisionId().hex(), new String[0]))
                .bind("tenants", LedgerTransaction.column(wanted, Wanted::tenantId, new String[0]))
                .map(row -> seen(row, whole))
                .all()
                .collectMap(seen -> seen.revision().id());
    }

    private Seen seen(Readable row, boolean whole) {
        LeaseState.Revision revision = new LeaseState.Revision(
                new RevisionId(required(row, "revision_id", String.class)),
                required(row, "tenant_id", String.class),
                required(row, "metadata_generation", Long.class),
                Availability.valueOf(required(row, "availability", String.class)),
                OperationKind.valueOf(required(row, "operation", String.class)),
                row.get("drain_deadline", Instant.class));
        return new Seen(revision, required(row, "now", Instant.class), whole ? view(row, revision) : null);
    }

    private RevisionView view(Readable row, LeaseState.Revision revision) {
        return new RevisionView(
                revision.id().hex(),
                revision.tenantId(),
                required(row, "namespace", String.class),
                required(row, "resource_id", String.class),
                required(row, "revision", String.class),
                required(row, "weight_generation", Long.class),
                required(row, "expected_payload_count", Long.class),
                required(row, "expected_logical_bytes", Long.class),
                required(row, "payload_group_id", String.class),
                required(row, "manifest_key", String.class),
                manifest(row),
                row.get("commit_fence", Long.class),
                revision.availability(),
                Residency.valueOf(required(row, "residency", String.class)),
                revision.operation(),
                row.get("operation_id", UUID.class),
                revision.generation(),
                texts(required(row, "labels", String.class)),
                placement(row),
                required(row, "created_at", Instant.class),
                required(row, "updated_at", Instant.class),
                row.get("committed_at", Instant.class),
                revision.drainDeadline());
    }

    private static @Nullable ManifestReference manifest(Readable row) {
        String sha256 = row.get("manifest_sha256", String.class);
        if (sha256 == null) {
            return null;
        }
        return new ManifestReference(
                required(row, "manifest_key", String.class),
                sha256,
                required(row, "payload_group_id", String.class),
                required(row, "payload_keys_sha256", String.class),
                required(row, "payload_count", Long.class),
                required(row, "logical_bytes", Long.class));
    }

    private Placement placement(Readable row) {
        UUID[] nodes = row.get("placement_nodes", UUID[].class);
        String labels = row.get("placement_labels", String.class);
        return new Placement(
                required(row, "memory_replicas", Integer.class),
                required(row, "cold_replicas", Integer.class),
                nodes == null ? null : List.copyOf(Arrays.asList(nodes)),
                labels == null ? null : texts(labels));
    }

    private Map<String, String> texts(String object) {
        return object.equals("{}") ? Map.of() : json.readValue(object, TEXTS);
    }
}
