package io.weighbridge.metadata.object.domain;

import java.time.Instant;
import java.util.List;

/**
 * What the agent itself reported of a copy; PutEnd compares with it (spec 2.2).
 *
 * @param size bytes
 * @param digest SHA-256 of a METADATA object, tree digest otherwise
 * @param crc32c one per 4 MiB chunk, as unsigned 32-bit values
 */
public record Stored(Instant at, long size, String digest, List<Long> crc32c) {

    /** Bytes in each chunk but the last that has a CRC32C of its own. */
    public static final long CHUNK_BYTES = 4L << 20;

    public Stored {
        crc32c = List.copyOf(crc32c);
    }

    /** How many CRC32C values a content of this size has. */
    public static long chunks(long size) {
        return (size + CHUNK_BYTES - 1) / CHUNK_BYTES;
    }

    boolean isSameContent(long otherSize, String otherDigest) {
        return size == otherSize && digest.equals(otherDigest);
    }
}
