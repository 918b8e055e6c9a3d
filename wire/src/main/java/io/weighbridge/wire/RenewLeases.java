package io.weighbridge.wire;

import java.util.List;
import java.util.UUID;

/**
 * {@code POST /v1/leases/renew}.
 */
public record RenewLeases(List<RenewLeases.Item> items) {

    /** One lease to renew. */
    public record Item(UUID leaseId, String leaseToken, long ttlMs) {}
}
