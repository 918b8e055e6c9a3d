package io.weighbridge.reconciliation.revision.domain;

import io.weighbridge.ledger.vocabulary.OperationKind;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The durable work under way on a revision.
 *
 * @param kind never NONE
 * @param automatic started by a reconciler, not by a user
 * @param processedMembers as last reported
 * @param cursor as last reported: key of the last satisfied member
 */
public record ActiveOperation(
        UUID operationId,
        OperationKind kind,
        boolean automatic,
        long processedMembers,
        @Nullable String cursor) {}
