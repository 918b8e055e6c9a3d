package io.weighbridge.metadata.revision.domain;

import io.weighbridge.ledger.identity.Validation;

/**
 * What a commit publishes; it never changes afterwards (spec 1.2).
 *
 * @param payloadKeysSha256 digest of the sorted payload keys, without the manifest's
 * @param payloadCount payload objects, 1 or more, without the manifest
 * @param logicalBytes payload bytes, 1 or more, without the manifest's
 */
public record ManifestReference(
        String manifestKey,
        String manifestSha256,
        String payloadGroupId,
        String payloadKeysSha256,
        long payloadCount,
        long logicalBytes) {

    /** @throws io.weighbridge.ledger.problem.ProblemException INVALID_ARGUMENT that names the field */
    public ManifestReference {
        Validation.objectKey("manifest.manifest_key", manifestKey);
        Validation.sha256("manifest.manifest_sha256", manifestSha256);
        Validation.objectKey("manifest.payload_group_id", payloadGroupId);
        Validation.sha256("manifest.payload_keys_sha256", payloadKeysSha256);
        Validation.counter("manifest.payload_count", payloadCount);
        Validation.counter("manifest.logical_bytes", logicalBytes);
    }
}
