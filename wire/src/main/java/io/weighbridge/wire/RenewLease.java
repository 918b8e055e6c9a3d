package io.weighbridge.wire;

/**
 * {@code POST /v1/leases/{lease_id}/renew} with the header {@code Lease-Token}.
 */
public record RenewLease(long ttlMs) {}
