package io.weighbridge.lease.readlease.domain;

import java.util.List;

/**
 * An object that has at least one readable copy.
 *
 * @param version of the copies, at least 1
 * @param size in bytes
 * @param digest {@code sha256_tree}, or plain SHA-256 of a METADATA object
 * @param copies at least one, hot ones first
 */
public record ReadableObject(long version, long size, String digest, List<ReadableCopy> copies) {

    public ReadableObject {
        copies = List.copyOf(copies);
    }
}
