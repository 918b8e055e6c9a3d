package io.weighbridge.wire;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.vocabulary.Tier;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Results in request order.
 */
public record PutStarted(List<PutStarted.Item> items) {

    /**
     * @param status an HTTP status
     * @param code why not; absent on success
     * @param detail one sentence; absent on success
     * @param replicaCount copies granted; fewer than asked is success
     */
    public record Item(
            String key,
            int status,
            @Nullable ProblemCode code,
            @Nullable String detail,
            @Nullable String writeToken,
            int replicaCount,
            List<Target> targets) {}

    /**
     * Where one copy is written: {@code PUT {url}/v1/objects/content?key=}.
     *
     * @param url the agent's base URL
     */
    public record Target(UUID replicaId, UUID nodeId, UUID segmentId, Tier tier, String url) {}
}
