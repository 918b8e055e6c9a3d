package io.weighbridge.lease.readlease.postgres;

import io.r2dbc.spi.Readable;
import io.weighbridge.lease.readlease.domain.ReadableCopy;
import io.weighbridge.lease.readlease.domain.ReadableObject;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.Tier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import reactor.core.publisher.Mono;

/**
 * Reads readable copies, each time in one statement that is a transaction of its own, on the primary. So its
 * transaction timestamp is not later than its snapshot, and neither are the leases that it issues (spec 2.3).
 */
public final class ReadableCopies {

    private static final String COPY = """
            c.tenant_id, c.object_id, c.object_version, c.size, c.digest, c.replica_id, c.node_id, c.segment_id,
            c.segment_epoch, c.tier, c.url, date_trunc('milliseconds', transaction_timestamp()) AS issued""";

    static final String OF_OBJECTS = """
            SELECT %s
              FROM metadata.readable_replica_v1 c
             WHERE c.object_id = ANY(:objects::text[]) AND c.tenant_id = :tenant
            """.formatted(COPY);

    static final String KNOWN = """
            SELECT o.object_id
              FROM metadata.object_v1 o
             WHERE o.object_id = ANY(:objects::text[]) AND o.tenant_id = :tenant
            """;

    static final String OF_MANIFEST = """
            SELECT r.availability, r.manifest_key, r.manifest_sha256, %s
              FROM metadata.revision_v1 r
              LEFT JOIN metadata.readable_replica_v1 c
                     ON c.revision_id = r.revision_id AND c.key = r.manifest_key AND c.tenant_id = r.tenant_id
             WHERE r.revision_id = :revision AND (:tenant::text IS NULL OR r.tenant_id = :tenant::text)
            """.formatted(COPY);

    /**
     * A revision's manifest.
     *
     * @param sha256 null before the commit
     * @param object null when it has no readable copy
     */
    public record Manifest(
            Availability availability,
            String key,
            @Nullable String sha256,
            @Nullable ReadableObject object) {}

    private record ManifestRow(
            Availability availability,
            String key,
            @Nullable String sha256,
            @Nullable CopyRow copy) {}

    private record CopyRow(ReadableCopy copy, long size, String digest) {}

    private final Ledger ledger;

    public ReadableCopies(Ledger ledger) {
        this.ledger = ledger;
    }

    /** Those of the tenant's objects that can be read now, by object id. */
    public Mono<Map<String, ReadableObject>> find(String tenantId, Collection<String> objectIds) {
        return ledger.reads()
                .sql(OF_OBJECTS)
                .bind("objects", objectIds.toArray(String[]::new))
                .bind("tenant", tenantId)
                .map(ReadableCopies::copy)
                .all()
                .collectList()
                .map(ReadableCopies::byObject)
                .onErrorMap(Ledger::readError);
    }

    /** Those of the tenant's objects that the ledger knows, readable or not: it tells why, and permits nothing. */
    public Mono<Set<String>> known(String tenantId, Collection<String> objectIds) {
        return ledger.reads()
                .sql(KNOWN)
                .bind("objects", objectIds.toArray(String[]::new))
                .bind("tenant", tenantId)
                .map(row -> required(row, "object_id", String.class))
                .all()
                .collectList()
                .map(Set::copyOf)
                .onErrorMap(Ledger::readError);
    }

    /** A revision's manifest; empty when the tenant has no such revision. A tenant of null is any. */
    public Mono<Manifest> manifest(RevisionId revision, @Nullable String tenantId) {
        GenericExecuteSpec statement = ledger.reads().sql(OF_MANIFEST).bind("revision", revision.hex());
        return (tenantId == null ? statement.bindNull("tenant", String.class) : statement.bind("tenant", tenantId))
                .map(row -> new ManifestRow(
                        Availability.valueOf(required(row, "availability", String.class)),
                        required(row, "manifest_key", String.class),
                        row.get("manifest_sha256", String.class),
                        row.get("replica_id", UUID.class) == null ? null : copy(row)))
                .all()
                .collectList()
                .filter(rows -> !rows.isEmpty())
                .map(ReadableCopies::manifest)
                .onErrorMap(Ledger::readError);
    }

    private static Manifest manifest(List<ManifestRow> rows) {
        ManifestRow first = rows.getFirst();
        List<CopyRow> copies = new ArrayList<>();
        for (ManifestRow row : rows) {
            if (row.copy() != null) {
                copies.add(row.copy());
            }
        }
        ReadableObject object = copies.isEmpty() ? null : object(copies);
        return new Manifest(first.availability(), first.key(), first.sha256(), object);
    }

    private static Map<String, ReadableObject> byObject(List<CopyRow> rows) {
        Map<String, List<CopyRow>> copies = new HashMap<>();
        for (CopyRow row : rows) {
            copies.computeIfAbsent(row.copy().objectId(), id -> new ArrayList<>(2))
                    .add(row);
        }
        Map<String, ReadableObject> objects = HashMap.newHashMap(copies.size());
        copies.forEach((id, ofObject) -> objects.put(id, object(ofObject)));
        return objects;
    }

    private static ReadableObject object(List<CopyRow> rows) {
        CopyRow first = rows.getFirst();
        List<ReadableCopy> copies = rows.stream()
                .map(CopyRow::copy)
                .sorted(Comparator.comparing(ReadableCopy::tier).thenComparing(ReadableCopy::replicaId))
                .toList();
        return new ReadableObject(first.copy().objectVersion(), first.size(), first.digest(), copies);
    }

    private static CopyRow copy(Readable row) {
        ReadableCopy copy = new ReadableCopy(
                required(row, "tenant_id", String.class),
                required(row, "object_id", String.class),
                required(row, "object_version", Long.class),
                required(row, "replica_id", UUID.class),
                required(row, "node_id", UUID.class),
                required(row, "segment_id", UUID.class),
                required(row, "segment_epoch", Long.class),
                Tier.valueOf(required(row, "tier", String.class)),
                required(row, "url", String.class),
                required(row, "issued", Instant.class));
        return new CopyRow(copy, required(row, "size", Long.class), required(row, "digest", String.class));
    }

    private static <T> T required(Readable row, String column, Class<T> type) {
        return Objects.requireNonNull(row.get(column, type), column);
    }
}
