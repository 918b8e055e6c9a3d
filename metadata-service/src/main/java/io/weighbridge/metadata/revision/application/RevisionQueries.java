package io.weighbridge.metadata.revision.application;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.metadata.revision.domain.Listing;
import io.weighbridge.metadata.revision.postgres.RevisionReads;
import io.weighbridge.metadata.revision.postgres.SituationReads;
import io.weighbridge.wire.Diagnosis;
import io.weighbridge.wire.MemberView;
import io.weighbridge.wire.OperationView;
import io.weighbridge.wire.RevisionView;
import io.weighbridge.wire.Situation;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Reads outside commands. A tenant of null means everybody's rows; otherwise rows of others do not exist, which the SQL
 * itself sees to.
 */
public final class RevisionQueries {

    private final RevisionReads rows;
    private final SituationReads situations;

    public RevisionQueries(RevisionReads rows, SituationReads situations) {
        this.rows = rows;
        this.situations = situations;
    }

    /** Empty when there is none. */
    public Mono<RevisionView> revision(RevisionId id, @Nullable String tenantId) {
        return rows.revision(id, tenantId);
    }

    /** In the order of revision bytes and generation. */
    public Mono<List<RevisionView>> byRevision(
            Listing.Filter filter, Listing.@Nullable AfterRevision after, int limit) {
        return rows.byRevision(filter, after, limit);
    }

    /** In the order of commits; what is not committed comes last. */
    public Mono<List<RevisionView>> byCommit(Listing.Filter filter, Listing.@Nullable AfterCommit after, int limit) {
        return rows.byCommit(filter, after, limit);
    }

    /** @param after empty: from the start */
    public Mono<List<String>> namespaces(String tenantId, String after, int limit) {
        return rows.namespaces(tenantId, after, limit);
    }

    /** @param after empty: from the start */
    public Mono<List<String>> resources(String tenantId, String namespace, String after, int limit) {
        return rows.resources(tenantId, namespace, after, limit);
    }

    /** The members in the order of their keys, with their copies that are neither failed nor removed. */
    public Mono<List<MemberView>> members(RevisionId id, @Nullable String tenantId, String afterKey, int limit) {
        return rows.members(id, tenantId, afterKey, limit);
    }

    /** Empty when there is none. */
    public Mono<OperationView> operation(UUID operationId, @Nullable String tenantId) {
        return rows.operation(operationId, tenantId);
    }

    /** @param revision only this one's; null: all of the tenant */
    public Mono<List<OperationView>> operations(
            @Nullable String tenantId,
            @Nullable RevisionId revision,
            @Nullable Boolean active,
            Listing.@Nullable AfterOperation after,
            int limit) {
        return rows.operations(tenantId, revision, active, after, limit);
    }

    /** Ids of revisions that are not yet a tombstone, in their order. */
    public Mono<List<String>> unfinished(String afterId, int limit) {
        return rows.unfinished(afterId, limit);
    }

    /** All that a reconciler plans from, in one snapshot; empty when there is no such revision. */
    public Mono<Situation> situation(RevisionId id) {
        return situations.situation(id);
    }

    /** Why the revision can, or cannot, be read (spec 2.7); empty when there is no such revision. */
    public Mono<Diagnosis> diagnosis(RevisionId id, @Nullable String tenantId) {
        return situations.diagnosis(id, tenantId);
    }
}
