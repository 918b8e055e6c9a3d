package io.weighbridge.wire;

import java.util.List;
import java.util.UUID;

/**
 * {@code POST /v1/leases/release}.
 */
public record ReturnLeases(List<ReturnLeases.Item> items) {

    /** One lease to return. */
    public record Item(UUID leaseId, String leaseToken) {}
}
