package io.weighbridge.wire;

/**
 * The internal start of a repair towards the placement.
 *
 * @param expectedGeneration the revision's generation that was looked at
 */
public record StartAutoRepair(long expectedGeneration, long claimEpoch) {}
