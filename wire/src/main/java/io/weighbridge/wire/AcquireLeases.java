package io.weighbridge.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/leases/acquire}: many at once, each with its own fence.
 */
public record AcquireLeases(List<AcquireLeases.Item> items) {

    /** @param expectedGeneration absent: whatever is current */
    public record Item(String revisionId, @Nullable Long expectedGeneration, String holder, long ttlMs) {}
}
