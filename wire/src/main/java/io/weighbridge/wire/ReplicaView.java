package io.weighbridge.wire;

import io.weighbridge.ledger.vocabulary.ReplicaState;
import io.weighbridge.ledger.vocabulary.Tier;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One copy of an object.
 *
 * @param url the holding agent's base URL; absent while its node is unknown
 * @param readable COMPLETE, on a mounted segment of unchanged epoch, on a live node (spec 2.1)
 * @param readLease only in answers of {@code locate}
 */
public record ReplicaView(
        UUID replicaId,
        UUID nodeId,
        @Nullable String url,
        UUID segmentId,
        Tier tier,
        ReplicaState state,
        boolean readable,
        @Nullable String readLease) {}
