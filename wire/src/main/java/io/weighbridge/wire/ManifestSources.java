package io.weighbridge.wire;

import java.util.List;

/**
 * {@code GET /v1/revisions/{id}/manifest} of lease-service.
 */
public record ManifestSources(
        String manifestKey, String manifestSha256, long size, List<ManifestSources.Source> sources) {

    /** @param url the agent's base URL; the content is at {@code {url}/v1/objects/content?key=} */
    public record Source(String url, String readLease) {}
}
