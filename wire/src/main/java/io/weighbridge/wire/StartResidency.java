package io.weighbridge.wire;

import io.weighbridge.ledger.vocabulary.Residency;

/**
 * {@code POST /v1/revisions/{id}/residency} with {@code If-Match}.
 *
 * @param target HOT or COLD
 */
public record StartResidency(Residency target) {}
