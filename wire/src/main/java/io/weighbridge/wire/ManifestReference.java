package io.weighbridge.wire;

/**
 * What a commit publishes; never changes afterwards (spec 1.2).
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
        long logicalBytes) {}
