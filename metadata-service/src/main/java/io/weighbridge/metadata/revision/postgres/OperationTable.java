package io.weighbridge.metadata.revision.postgres;

import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.metadata.revision.domain.Operation;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import reactor.core.publisher.Mono;

/** The operation rows; kept after completion. Used by {@link RevisionTable} and the claims of replica commands only. */
final class OperationTable {

    private static final String LOAD =
            "SELECT " + RevisionRows.OPERATION + " FROM metadata.operation o WHERE o.operation_id = :id";

    private static final String INSERT = """
            INSERT INTO metadata.operation (
                operation_id, revision_id, tenant_id, kind, target_residency, active, automatic,
                fenced_metadata_generation, started_at, updated_at, processed_members, total_members, cursor, message,
                claim_epoch)
            VALUES (
                :id, :revision, :tenant, :kind, :target, :active, :automatic,
                :fenced, :started_at, :updated_at, :processed, :total, :cursor, :message,
                :claim_epoch)
            """;

    private static final String UPDATE = """
            UPDATE metadata.operation
               SET active = :active, updated_at = :updated_at, processed_members = :processed, cursor = :cursor,
                   message = :message, claim_epoch = greatest(claim_epoch, :claim_epoch)
             WHERE operation_id = :id
            """;

    Mono<Operation> load(LedgerTransaction tx, UUID operationId) {
        return tx.sql(LOAD).bind("id", operationId).map(RevisionRows::operation).one();
    }

    Mono<Void> insert(LedgerTransaction tx, Registered revision, Operation operation) {
        Residency target = operation.targetResidency();
        GenericExecuteSpec statement = tx.sql(INSERT)
                .bind("revision", revision.id().hex())
                .bind("tenant", revision.identity().tenantId())
                .bind("kind", operation.kind().name())
                .bind("automatic", operation.automatic())
                .bind("fenced", operation.fencedGeneration())
                .bind("started_at", operation.startedAt())
                .bind("total", operation.totalMembers());
        statement = text(statement, "target", target == null ? null : target.name());
        return bindProgress(statement, operation).then();
    }

    Mono<Void> update(LedgerTransaction tx, Operation operation) {
        return bindProgress(tx.sql(UPDATE), operation).then();
    }

    Mono<Void> claim(LedgerTransaction tx, UUID operationId, long claimEpoch) {
        return tx.sql("UPDATE metadata.operation SET claim_epoch = greatest(claim_epoch, :epoch)"
                        + " WHERE operation_id = :id")
                .bind("id", operationId)
                .bind("epoch", claimEpoch)
                .then();
    }

    private static GenericExecuteSpec bindProgress(GenericExecuteSpec statement, Operation operation) {
        GenericExecuteSpec bound = statement
                .bind("id", operation.operationId())
                .bind("active", operation.active())
                .bind("updated_at", operation.updatedAt())
                .bind("processed", operation.processedMembers())
                .bind("claim_epoch", operation.claimEpoch());
        return text(text(bound, "cursor", operation.cursor()), "message", operation.message());
    }

    private static GenericExecuteSpec text(GenericExecuteSpec statement, String name, @Nullable String value) {
        return Bindings.orNull(statement, name, value, String.class);
    }
}
