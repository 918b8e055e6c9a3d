package io.weighbridge.metadata.revision.postgres;

import io.r2dbc.spi.Readable;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.metadata.revision.RevisionViews;
import io.weighbridge.metadata.revision.domain.Listing;
import io.weighbridge.wire.MemberView;
import io.weighbridge.wire.OperationView;
import io.weighbridge.wire.RevisionView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import reactor.core.publisher.Mono;

/** Reads of revisions and operations, one statement each. */
public final class RevisionReads {

    private static final String SELECT = "SELECT " + RevisionRows.REVISION + RevisionRows.OPERATION + RevisionRows.FROM;

    private static final String GET =
            SELECT + " WHERE r.revision_id = :id AND (CAST(:tenant AS text) IS NULL OR r.tenant_id = :tenant)";

    private static final String FILTER = """
             WHERE r.resource_hash = :resource_hash AND r.tenant_id = :tenant
               AND r.namespace = :namespace AND r.resource_id = :resource
               AND r.availability = ANY(:availability)
               AND (CAST(:labels AS jsonb) IS NULL OR r.labels @> CAST(:labels AS jsonb))
            """;

    static final String BY_REVISION = SELECT + FILTER + """
               AND (r.revision, r.weight_generation) > (:after_revision, :after_generation)
             ORDER BY r.revision, r.weight_generation LIMIT :limit
            """;

    /** Rows without a commit sort last; a null in the key cannot be compared, hence the two ways. */
    static final String BY_COMMIT = SELECT + FILTER + """
               AND CASE WHEN :after_uncommitted THEN r.committed_at IS NULL AND r.revision_id > :after_id
                        ELSE r.committed_at IS NULL OR (r.committed_at, r.revision_id) > (:after_time, :after_id) END
             ORDER BY r.committed_at, r.revision_id LIMIT :limit
            """;

    private static final String OPERATION = "SELECT " + RevisionRows.OPERATION + """
             FROM metadata.operation o
             WHERE o.operation_id = :id AND (CAST(:tenant AS text) IS NULL OR o.tenant_id = :tenant)
            """;

    private static final String OPERATIONS = "SELECT " + RevisionRows.OPERATION + """
             FROM metadata.operation o
             WHERE (CAST(:tenant AS text) IS NULL OR o.tenant_id = :tenant)
               AND (CAST(:revision AS text) IS NULL OR o.revision_id = :revision)
               AND (CAST(:active AS boolean) IS NULL OR o.active = :active)
               AND (o.started_at, o.operation_id) > (:after_time, :after_id)
             ORDER BY o.started_at, o.operation_id LIMIT :limit
            """;

    private static final UUID LEAST_ID = new UUID(0, 0);

    private final Ledger ledger;

    public RevisionReads(Ledger ledger) {
        this.ledger = ledger;
    }

    /** Empty when there is none. */
    public Mono<RevisionView> revision(RevisionId id, @Nullable String tenantId) {
        return one(Bindings.orNull(sql(GET).bind("id", id.hex()), "tenant", tenantId, String.class)
                .map(RevisionReads::view)
                .one());
    }

    /** In the order of revision bytes and generation. */
    public Mono<List<RevisionView>> byRevision(
            Listing.Filter filter, Listing.@Nullable AfterRevision after, int limit) {
        return list(filtered(sql(BY_REVISION), filter)
                .bind("after_revision", after == null ? "" : after.revision())
                .bind("after_generation", after == null ? 0L : after.weightGeneration())
                .bind("limit", limit));
    }

    /** In the order of commits; what is not committed comes last. */
    public Mono<List<RevisionView>> byCommit(Listing.Filter filter, Listing.@Nullable AfterCommit after, int limit) {
        Instant committedAt = after == null ? Instant.EPOCH : after.committedAt();
        return list(filtered(sql(BY_COMMIT), filter)
                .bind("after_uncommitted", committedAt == null)
                .bind("after_time", committedAt == null ? Instant.EPOCH : committedAt)
                .bind("after_id", after == null ? "" : after.revisionId())
                .bind("limit", limit));
    }

    /** Strictly after a name. */
    public Mono<List<String>> namespaces(String tenantId, String after, int limit) {
        return texts(sql(Browsing.NAMESPACES).bind("tenant", tenantId), after, limit);
    }

    /** Strictly after a name. */
    public Mono<List<String>> resources(String tenantId, String namespace, String after, int limit) {
        return texts(
                sql(Browsing.RESOURCES)
                        .bind("namespace_hash", ResourceHashes.namespace(tenantId, namespace))
                        .bind("tenant", tenantId),
                after,
                limit);
    }

    /** In the order of keys, with copies that are neither failed nor removed. */
    public Mono<List<MemberView>> members(RevisionId id, @Nullable String tenantId, String afterKey, int limit) {
        return one(MemberRows.page(ledger.reads(), id, tenantId, afterKey, limit));
    }

    /** Empty when there is none. */
    public Mono<OperationView> operation(UUID operationId, @Nullable String tenantId) {
        return one(Bindings.orNull(sql(OPERATION).bind("id", operationId), "tenant", tenantId, String.class)
                .map(RevisionReads::operationView)
                .one());
    }

    /** In the order of starts. */
    public Mono<List<OperationView>> operations(
            @Nullable String tenantId,
            @Nullable RevisionId revision,
            @Nullable Boolean active,
            Listing.@Nullable AfterOperation after,
            int limit) {
        GenericExecuteSpec statement = sql(OPERATIONS)
                .bind("after_time", after == null ? Instant.EPOCH : after.startedAt())
                .bind("after_id", after == null ? LEAST_ID : after.operationId())
                .bind("limit", limit);
        statement = Bindings.orNull(statement, "tenant", tenantId, String.class);
        statement = Bindings.orNull(statement, "revision", revision == null ? null : revision.hex(), String.class);
        statement = Bindings.orNull(statement, "active", active, Boolean.class);
        return one(statement.map(RevisionReads::operationView).all().collectList());
    }

    /** Ids of revisions that are no tombstone yet. */
    public Mono<List<String>> unfinished(String afterId, int limit) {
        return texts(sql(Browsing.UNFINISHED), afterId, limit);
    }

    static OperationView operationView(Readable row) {
        return RevisionViews.of(new RevisionId(Columns.text(row, "o_revision_id")), RevisionRows.operation(row));
    }

    private static RevisionView view(Readable row) {
        return RevisionViews.of(RevisionRows.revision(row));
    }

    private static GenericExecuteSpec filtered(GenericExecuteSpec statement, Listing.Filter filter) {
        Map<String, String> labels = filter.labels();
        GenericExecuteSpec bound = statement
                .bind(
                        "resource_hash",
                        ResourceHashes.resource(filter.tenantId(), filter.namespace(), filter.resourceId()))
                .bind("tenant", filter.tenantId())
                .bind("namespace", filter.namespace())
                .bind("resource", filter.resourceId())
                .bind("availability", wanted(filter));
        return Bindings.orNull(bound, "labels", labels.isEmpty() ? null : Columns.json(labels), String.class);
    }

    /** Tombstones only when asked for, by their name or by the flag. */
    private static String[] wanted(Listing.Filter filter) {
        List<Availability> named =
                filter.availability().isEmpty() ? List.of(Availability.values()) : filter.availability();
        return named.stream()
                .filter(a -> a != Availability.DELETED
                        || filter.includeDeleted()
                        || !filter.availability().isEmpty())
                .map(Enum::name)
                .toArray(String[]::new);
    }

    private GenericExecuteSpec sql(String sql) {
        return ledger.reads().sql(sql);
    }

    private static Mono<List<RevisionView>> list(GenericExecuteSpec statement) {
        return one(statement.map(RevisionReads::view).all().collectList());
    }

    private static Mono<List<String>> texts(GenericExecuteSpec statement, String after, int limit) {
        return one(statement
                .bind("after", after)
                .bind("limit", limit)
                .map(row -> Columns.text(row, "name"))
                .all()
                .collectList());
    }

    private static <T> Mono<T> one(Mono<T> read) {
        return read.onErrorMap(Ledger::readError);
    }
}
