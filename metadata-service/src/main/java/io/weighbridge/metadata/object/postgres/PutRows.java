package io.weighbridge.metadata.object.postgres;

import static io.weighbridge.metadata.object.postgres.Columns.flag;
import static io.weighbridge.metadata.object.postgres.Columns.get;
import static io.weighbridge.metadata.object.postgres.Columns.number;
import static io.weighbridge.metadata.object.postgres.Columns.numbers;
import static io.weighbridge.metadata.object.postgres.Columns.texts;
import static io.weighbridge.metadata.object.postgres.Columns.word;

import io.r2dbc.spi.Readable;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.ReplicaState;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.metadata.object.domain.Attempt;
import io.weighbridge.metadata.object.domain.Content;
import io.weighbridge.metadata.object.domain.Copy;
import io.weighbridge.metadata.object.domain.Pin;
import io.weighbridge.metadata.object.domain.Put;
import io.weighbridge.metadata.object.domain.Standing;
import io.weighbridge.metadata.object.domain.Stored;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Reads objects with their puts and copies. */
public final class PutRows {

    /** To which object, revision and operation a copy belongs, before anything is locked. */
    public record Address(
            String objectId,
            UUID nodeId,
            @Nullable RevisionId revisionId,
            @Nullable UUID operationId) {}

    private static final String ADDRESSES = """
            SELECT r.replica_id, r.object_id, r.node_id, r.operation_id, o.revision_id
              FROM metadata.replica r JOIN metadata.object o USING (object_id)
             WHERE r.replica_id = ANY(:ids)
            """;

    private static final String REVISIONS = """
            SELECT object_id, revision_id FROM metadata.object
             WHERE object_id = ANY(:ids) AND revision_id IS NOT NULL
            """;

    private static final String LOCK = """
            SELECT o.object_id, o.tenant_id, o.key, o.size, o.type, o.group_id, o.revision_id, o.object_version,
              o.digest,
                   o.crc32c, o.pin, o.pinned_until, o.created_at, o.committed_at,
                   coalesce(r.availability = 'DELETED', false) AS released
              FROM metadata.object o LEFT JOIN metadata.revision r ON r.revision_id = o.revision_id
             WHERE o.object_id = ANY(:ids) ORDER BY o.object_id
            """;

    private static final String ATTEMPTS = """
            SELECT put_id, object_id, revision_id, operation_id, subject, token_hash, state, started_at, expires_at
              FROM metadata.put WHERE object_id = ANY(:ids) ORDER BY started_at, put_id
            """;

    private static final String COPIES = """
            SELECT replica_id, object_id, put_id, operation_id, node_id, segment_id, segment_epoch, tier, size, state,
                   created_at, opened_at, stored_at, stored_digest, stored_size, stored_crc32c, retired_at,
                     reclaim_after,
                   token_closed
              FROM metadata.replica WHERE object_id = ANY(:ids) ORDER BY created_at, replica_id
            """;

    /** The objects of some copies; unknown copies are absent. */
    public Mono<Map<UUID, Address>> addresses(Sql sql, Collection<UUID> replicaIds) {
        if (replicaIds.isEmpty()) {
            return Mono.just(Map.of());
        }
        return sql.sql(ADDRESSES)
                .bind("ids", replicaIds.toArray(UUID[]::new))
                .map(row -> Map.entry(
                        get(row, "replica_id", UUID.class),
                        new Address(
                                get(row, "object_id", String.class),
                                get(row, "node_id", UUID.class),
                                revision(row),
                                row.get("operation_id", UUID.class))))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    /** The revisions that manage some objects; ordinary objects are absent. */
    public Mono<Map<String, RevisionId>> revisions(Sql sql, Collection<String> objectIds) {
        if (objectIds.isEmpty()) {
            return Mono.just(Map.of());
        }
        return sql.sql(REVISIONS)
                .bind("ids", texts(objectIds))
                .map(row -> Map.entry(
                        get(row, "object_id", String.class), new RevisionId(get(row, "revision_id", String.class))))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    /** Locks the objects in the order of their ids and reads them; unknown ones are absent. */
    public Mono<List<Put>> lock(Sql sql, Collection<String> objectIds) {
        return load(sql, objectIds, LOCK + " FOR UPDATE OF o");
    }

    /** Reads the objects as they are; for diagnosis. */
    public Mono<List<Put>> read(Sql sql, Collection<String> objectIds) {
        return load(sql, objectIds, LOCK);
    }

    private Mono<List<Put>> load(Sql sql, Collection<String> objectIds, String objects) {
        if (objectIds.isEmpty()) {
            return Mono.just(List.of());
        }
        return sql.sql(objects)
                .bind("ids", texts(objectIds))
                .map(PutRows::bare)
                .all()
                .collectList()
                .flatMap(puts -> puts.isEmpty() ? Mono.just(List.of()) : filled(sql, puts));
    }

    private Mono<List<Put>> filled(Sql sql, List<Put> puts) {
        String[] ids = puts.stream().map(Put::objectId).toArray(String[]::new);
        Mono<Map<String, List<Attempt>>> attempts = sql.sql(ATTEMPTS)
                .bind("ids", ids)
                .map(row -> Map.entry(get(row, "object_id", String.class), attempt(row)))
                .all()
                .collect(HashMap::new, PutRows::add);
        Mono<Map<String, List<Copy>>> copies = sql.sql(COPIES)
                .bind("ids", ids)
                .map(row -> Map.entry(get(row, "object_id", String.class), copy(row)))
                .all()
                .collect(LinkedHashMap::new, PutRows::add);
        return attempts.flatMap(a -> copies.map(c -> puts.stream()
                .map(put -> new Put(
                        put.tenantId(),
                        put.key(),
                        put.objectId(),
                        put.content(),
                        a.getOrDefault(put.objectId(), List.of()),
                        c.getOrDefault(put.objectId(), List.of())))
                .toList()));
    }

    private static <T> void add(Map<String, List<T>> map, Map.Entry<String, T> entry) {
        map.computeIfAbsent(entry.getKey(), key -> new ArrayList<>()).add(entry.getValue());
    }

    private static Put bare(Readable row) {
        Content content = new Content(
                number(row, "size"),
                word(row, "type", ObjectType.class),
                row.get("group_id", String.class),
                revision(row),
                flag(row, "released"),
                number(row, "object_version"),
                row.get("digest", String.class),
                numbers(row, "crc32c"),
                word(row, "pin", Pin.class),
                row.get("pinned_until", Instant.class),
                get(row, "created_at", Instant.class),
                row.get("committed_at", Instant.class));
        return new Put(
                get(row, "tenant_id", String.class),
                get(row, "key", String.class),
                get(row, "object_id", String.class),
                content,
                List.of(),
                List.of());
    }

    private static Attempt attempt(Readable row) {
        return new Attempt(
                get(row, "put_id", UUID.class),
                revision(row),
                row.get("operation_id", UUID.class),
                get(row, "subject", String.class),
                get(row, "token_hash", String.class),
                word(row, "state", Attempt.State.class),
                get(row, "started_at", Instant.class),
                get(row, "expires_at", Instant.class));
    }

    /** How a copy stands is known once its segment is locked. */
    private static Copy copy(Readable row) {
        return new Copy(
                get(row, "replica_id", UUID.class),
                get(row, "put_id", UUID.class),
                row.get("operation_id", UUID.class),
                get(row, "node_id", UUID.class),
                get(row, "segment_id", UUID.class),
                number(row, "segment_epoch"),
                word(row, "tier", Tier.class),
                number(row, "size"),
                word(row, "state", ReplicaState.class),
                Standing.AWAY,
                get(row, "created_at", Instant.class),
                row.get("opened_at", Instant.class),
                stored(row),
                row.get("retired_at", Instant.class),
                row.get("reclaim_after", Instant.class),
                flag(row, "token_closed"));
    }

    private static @Nullable Stored stored(Readable row) {
        Instant at = row.get("stored_at", Instant.class);
        List<Long> crc32c = numbers(row, "stored_crc32c");
        return at == null
                ? null
                : new Stored(
                        at,
                        number(row, "stored_size"),
                        get(row, "stored_digest", String.class),
                        crc32c == null ? List.of() : crc32c);
    }

    private static @Nullable RevisionId revision(Readable row) {
        String hex = row.get("revision_id", String.class);
        return hex == null ? null : new RevisionId(hex);
    }
}
