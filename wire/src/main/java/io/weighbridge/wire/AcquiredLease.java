package io.weighbridge.wire;

/**
 * @param leaseToken goes into the header {@code Lease-Token}
 * @param reused the same holder had it already and got a fresh token
 */
public record AcquiredLease(LeaseView lease, String leaseToken, boolean reused, RevisionView revision) {}
