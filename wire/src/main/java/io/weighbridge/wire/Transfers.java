package io.weighbridge.wire;

import java.util.List;

/**
 * Transfers in request order, or newest first when listed.
 */
public record Transfers(List<Transfer> transfers) {}
