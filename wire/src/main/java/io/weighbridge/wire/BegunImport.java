package io.weighbridge.wire;

import org.jspecify.annotations.Nullable;

/**
 * @param importToken goes into the header {@code Import-Token} of every member put; absent when an existing import was
 *     returned
 */
public record BegunImport(RevisionView revision, @Nullable String importToken) {}
