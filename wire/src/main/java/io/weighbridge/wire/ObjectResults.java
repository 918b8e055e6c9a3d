package io.weighbridge.wire;

import io.weighbridge.ledger.problem.ProblemCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Results of {@code put-end}, {@code put-revoke}, {@code exists}, {@code locate} and {@code remove}, in request order.
 */
public record ObjectResults(List<ObjectResults.Item> items) {

    /**
     * @param status an HTTP status
     * @param code why not; absent on success
     * @param detail one sentence; absent on success
     * @param replicas the readable copies; empty where the call does not tell them
     */
    public record Item(
            String key,
            int status,
            @Nullable ProblemCode code,
            @Nullable String detail,
            @Nullable Long objectVersion,
            @Nullable Long size,
            @Nullable String digest,
            List<ReplicaView> replicas) {}
}
