package io.weighbridge.wire;

import io.weighbridge.ledger.problem.ProblemCode;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Results in request order.
 */
public record RetiredReplicas(List<RetiredReplicas.Item> items) {

    /** @param code why not; absent on success */
    public record Item(UUID replicaId, int status, @Nullable ProblemCode code) {}
}
