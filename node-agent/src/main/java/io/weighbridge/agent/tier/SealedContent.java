package io.weighbridge.agent.tier;

import java.util.List;

/**
 * What is known of an extent whose bytes are all there.
 *
 * @param size bytes
 * @param digest SHA-256 of a METADATA object, tree digest otherwise, as 64 hexadecimal digits
 * @param crc32c one per 4 MiB chunk, as unsigned 32-bit values
 */
public record SealedContent(long size, String digest, List<Long> crc32c) {

    public SealedContent {
        crc32c = List.copyOf(crc32c);
    }
}
