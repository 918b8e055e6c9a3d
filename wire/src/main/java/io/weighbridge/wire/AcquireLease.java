package io.weighbridge.wire;

/**
 * {@code POST /v1/revisions/{id}/leases} with {@code If-Match} (or {@code *}).
 *
 * @param holder names one reader process; unique per revision
 * @param ttlMs 1 to 86,400,000
 */
public record AcquireLease(String holder, long ttlMs) {}
