package io.weighbridge.wire;

import io.weighbridge.ledger.problem.ProblemCode;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Results in request order.
 */
public record ReportResults(List<ReportResults.Item> items) {

    /** @param code why the report was refused; the agent does not repeat it then */
    public record Item(UUID replicaId, int status, @Nullable ProblemCode code) {}
}
