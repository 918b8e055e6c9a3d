package io.weighbridge.wire;

import io.weighbridge.ledger.problem.ProblemCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Results in request order.
 */
public record LeaseResults(List<LeaseResults.Item> items) {

    /**
     * @param status an HTTP status
     * @param code why not; absent on success
     * @param leaseToken only when acquired
     */
    public record Item(
            int status,
            @Nullable ProblemCode code,
            @Nullable String detail,
            @Nullable LeaseView lease,
            @Nullable String leaseToken,
            @Nullable Boolean reused) {}
}
