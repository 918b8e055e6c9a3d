package io.weighbridge.wire;

import io.weighbridge.ledger.vocabulary.ObjectType;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/objects/put-start} (spec 2.2, 5.2); header {@code Import-Token} for members of a managed group.
 */
public record PutStart(List<PutStart.Item> items) {

    /**
     * @param replicaCount copies wanted, 1 to 16; absent: 1
     * @param preferredNode tried first
     * @param pin NONE, SOFT or HARD; absent: NONE
     */
    public record Item(
            String key,
            long size,
            ObjectType type,
            @Nullable String groupId,
            @Nullable Integer replicaCount,
            @Nullable UUID preferredNode,
            @Nullable Pin pin) {}

    /** What keeps generic eviction away; a soft pin expires, a hard one does not. */
    public enum Pin {
        NONE,
        SOFT,
        HARD
    }
}
