package io.weighbridge.agent.content.application;

import io.netty.buffer.ByteBuf;
import io.weighbridge.agent.tier.ContentDigest;
import io.weighbridge.agent.tier.DamagedException;
import io.weighbridge.agent.tier.SealedContent;
import java.util.zip.CRC32C;

/**
 * Checks memory that is shown in place while it goes out, piece by piece in order: the last piece of a damaged chunk is
 * never sent, so a reader that has the whole range has right bytes. A chunk that the range only touches is not checked.
 */
final class InPlaceCheck {

    private final SealedContent content;
    private final CRC32C crc = new CRC32C();

    /** Where the next piece must begin to continue the checksum. */
    private long position = -1;

    InPlaceCheck(SealedContent content) {
        this.content = content;
    }

    /**
     * Looks at the next piece, which lies within one chunk; its indices stay.
     *
     * @throws DamagedException when it completes a chunk that is not the one that was sealed
     */
    void check(long from, ByteBuf piece) throws DamagedException {
        if (from % ContentDigest.CRC_CHUNK_BYTES == 0) {
            crc.reset();
        } else if (from != position) {
            return;
        }
        crc.update(piece.nioBuffer());
        position = from + piece.readableBytes();
        int chunk = (int) (from / ContentDigest.CRC_CHUNK_BYTES);
        boolean complete = position % ContentDigest.CRC_CHUNK_BYTES == 0 || position == content.size();
        if (complete && crc.getValue() != content.crc32c().get(chunk)) {
            throw new DamagedException("chunk " + chunk + " has a wrong CRC32C");
        }
    }
}
