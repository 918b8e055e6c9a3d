package io.weighbridge.ledger.key;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * The payload digest {@code sha256_tree}: SHA-256 over the SHA-256 of each 16 MiB chunk, in order (spec 1.4). An empty
 * payload has no chunk. It is never compared with a plain SHA-256, which is the manifest's. Not thread-safe; chunks may
 * be digested in parallel elsewhere and combined by {@link #ofChunks}.
 */
public final class TreeDigest {

    /** Bytes in each chunk but the last. */
    public static final int CHUNK_BYTES = 16 << 20;

    private final MessageDigest root = Sha256.newDigest();
    private final MessageDigest chunk = Sha256.newDigest();
    private int chunkFilled;

    /** Takes the remaining bytes of the buffer, heap or direct, and leaves it empty. */
    public void update(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            int take = Math.min(bytes.remaining(), CHUNK_BYTES - chunkFilled);
            chunk.update(bytes.slice(bytes.position(), take));
            bytes.position(bytes.position() + take);
            chunkFilled += take;
            if (chunkFilled == CHUNK_BYTES) {
                closeChunk();
            }
        }
    }

    /** The digest as 64 lower-case hexadecimal digits; this object must not be used afterwards. */
    public String finish() {
        if (chunkFilled > 0) {
            closeChunk();
        }
        return HexFormat.of().formatHex(root.digest());
    }

    /** The digest from the chunks' own SHA-256 values, in order. */
    public static String ofChunks(Iterable<byte[]> chunkDigests) {
        MessageDigest root = Sha256.newDigest();
        chunkDigests.forEach(root::update);
        return HexFormat.of().formatHex(root.digest());
    }

    private void closeChunk() {
        root.update(chunk.digest());
        chunkFilled = 0;
    }
}
