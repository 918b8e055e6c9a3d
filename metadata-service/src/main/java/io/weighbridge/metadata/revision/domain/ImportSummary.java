package io.weighbridge.metadata.revision.domain;

import io.weighbridge.ledger.identity.Validation;

/**
 * What an import announced at its begin; the commit must keep to it (spec 1.5).
 *
 * @param payloadCount 1 or more, without the manifest
 * @param logicalBytes 1 or more, without the manifest's
 */
public record ImportSummary(long payloadCount, long logicalBytes) {

    /** @throws io.weighbridge.ledger.problem.ProblemException INVALID_ARGUMENT that names the field */
    public ImportSummary {
        Validation.counter("expected_payload_count", payloadCount);
        Validation.counter("expected_logical_bytes", logicalBytes);
    }
}
