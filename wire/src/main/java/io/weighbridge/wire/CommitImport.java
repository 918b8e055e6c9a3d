package io.weighbridge.wire;

/**
 * {@code POST /v1/revisions/{id}/commit} with {@code If-Match} (spec 1.5).
 */
public record CommitImport(ManifestReference manifest) {}
