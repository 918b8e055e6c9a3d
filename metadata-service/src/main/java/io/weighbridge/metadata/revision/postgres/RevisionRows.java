package io.weighbridge.metadata.revision.postgres;

import static io.weighbridge.metadata.revision.postgres.Columns.id;
import static io.weighbridge.metadata.revision.postgres.Columns.idOrNull;
import static io.weighbridge.metadata.revision.postgres.Columns.integer;
import static io.weighbridge.metadata.revision.postgres.Columns.number;
import static io.weighbridge.metadata.revision.postgres.Columns.numberOrNull;
import static io.weighbridge.metadata.revision.postgres.Columns.text;
import static io.weighbridge.metadata.revision.postgres.Columns.textOrNull;
import static io.weighbridge.metadata.revision.postgres.Columns.texts;
import static io.weighbridge.metadata.revision.postgres.Columns.textsOrNull;
import static io.weighbridge.metadata.revision.postgres.Columns.time;
import static io.weighbridge.metadata.revision.postgres.Columns.timeOrNull;
import static io.weighbridge.metadata.revision.postgres.Columns.truth;
import static io.weighbridge.metadata.revision.postgres.Columns.word;
import static io.weighbridge.metadata.revision.postgres.Columns.wordOrNull;

import io.r2dbc.spi.Readable;
import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.metadata.revision.domain.ImportSummary;
import io.weighbridge.metadata.revision.domain.ManifestReference;
import io.weighbridge.metadata.revision.domain.Operation;
import io.weighbridge.metadata.revision.domain.Placement;
import io.weighbridge.metadata.revision.domain.Revision.ImportSession;
import io.weighbridge.metadata.revision.domain.Revision.Publication;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows of the revision and operation tables as the machine's states. */
final class RevisionRows {

    /** Columns of {@code metadata.revision r} with its heartbeat {@code h} and its active operation {@code o}. */
    static final String REVISION = """
            r.revision_id, r.tenant_id, r.namespace, r.resource_id, r.revision, r.weight_generation,
            r.expected_payload_count, r.expected_logical_bytes, r.payload_group_id, r.manifest_key, r.manifest_sha256,
            r.payload_keys_sha256, r.payload_count, r.logical_bytes, r.commit_fence, r.availability, r.residency,
            r.metadata_generation, r.labels::text AS labels, r.memory_replicas, r.cold_replicas, r.placement_nodes,
            r.placement_labels::text AS placement_labels, r.last_residency_target, r.import_token_hash,
            r.import_subject, r.drain_deadline, r.created_at, r.updated_at, r.committed_at, h.beat_at,
            """;

    /** Columns of {@code metadata.operation o}. */
    static final String OPERATION = """
            o.operation_id AS o_operation_id, o.revision_id AS o_revision_id, o.kind AS o_kind,
            o.target_residency AS o_target_residency, o.active AS o_active, o.automatic AS o_automatic,
            o.fenced_metadata_generation AS o_fenced, o.started_at AS o_started_at, o.updated_at AS o_updated_at,
            o.processed_members AS o_processed, o.total_members AS o_total, o.cursor AS o_cursor,
            o.message AS o_message, o.claim_epoch AS o_claim_epoch
            """;

    /** The tables that {@link #REVISION} and {@link #OPERATION} name. */
    static final String FROM = """
             FROM metadata.revision r
             LEFT JOIN metadata.import_heartbeat h ON h.revision_id = r.revision_id
             LEFT JOIN metadata.operation o ON o.operation_id = r.operation_id
            """;

    private RevisionRows() {}

    static Registered revision(Readable row) {
        return new Registered(
                new RevisionIdentity(
                        text(row, "tenant_id"),
                        text(row, "namespace"),
                        text(row, "resource_id"),
                        text(row, "revision"),
                        number(row, "weight_generation")),
                new ImportSummary(number(row, "expected_payload_count"), number(row, "expected_logical_bytes")),
                new ImportSession(
                        text(row, "import_token_hash"), text(row, "import_subject"), timeOrNull(row, "beat_at")),
                publication(row),
                word(row, "availability", Availability.class),
                word(row, "residency", Residency.class),
                word(row, "last_residency_target", Residency.class),
                idOrNull(row, "o_operation_id") == null ? null : operation(row),
                number(row, "metadata_generation"),
                texts(row, "labels"),
                placement(row),
                timeOrNull(row, "drain_deadline"),
                time(row, "created_at"),
                time(row, "updated_at"));
    }

    static Operation operation(Readable row) {
        return new Operation(
                id(row, "o_operation_id"),
                word(row, "o_kind", OperationKind.class),
                wordOrNull(row, "o_target_residency", Residency.class),
                truth(row, "o_active"),
                truth(row, "o_automatic"),
                number(row, "o_fenced"),
                time(row, "o_started_at"),
                time(row, "o_updated_at"),
                number(row, "o_processed"),
                number(row, "o_total"),
                textOrNull(row, "o_cursor"),
                textOrNull(row, "o_message"),
                number(row, "o_claim_epoch"));
    }

    static Placement placement(Readable row) {
        UUID[] nodes = row.get("placement_nodes", UUID[].class);
        return new Placement(
                integer(row, "memory_replicas"),
                integer(row, "cold_replicas"),
                nodes == null ? null : List.of(nodes),
                textsOrNull(row, "placement_labels"));
    }

    private static @Nullable Publication publication(Readable row) {
        Long commitFence = numberOrNull(row, "commit_fence");
        Instant committedAt = timeOrNull(row, "committed_at");
        if (commitFence == null || committedAt == null) {
            return null;
        }
        return new Publication(
                new ManifestReference(
                        text(row, "manifest_key"),
                        text(row, "manifest_sha256"),
                        text(row, "payload_group_id"),
                        text(row, "payload_keys_sha256"),
                        Objects.requireNonNull(numberOrNull(row, "payload_count")),
                        Objects.requireNonNull(numberOrNull(row, "logical_bytes"))),
                commitFence,
                committedAt);
    }
}
