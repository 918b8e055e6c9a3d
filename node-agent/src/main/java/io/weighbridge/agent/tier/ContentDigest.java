package io.weighbridge.agent.tier;

import io.weighbridge.ledger.key.Sha256;
import io.weighbridge.ledger.key.TreeDigest;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.vocabulary.ObjectType;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Digest and checksums of one object while its bytes arrive, in order or in several lanes at once. It also remembers
 * which digest chunks are complete, so that a broken transfer continues where it stopped. A METADATA object has one
 * plain SHA-256 and therefore one lane only.
 */
public final class ContentDigest {

    /** Bytes in each checksum chunk but the last (spec 4.2). */
    public static final int CRC_CHUNK_BYTES = 4 << 20;

    private final long size;
    private final boolean tree;
    private final long[] crcs;
    private final byte[] @Nullable [] digests;

    /** A part of an object: bytes {@code from} (inclusive) to {@code to} (exclusive). */
    public record Span(long from, long to) {

        public long length() {
            return to - from;
        }
    }

    public ContentDigest(ObjectType type, long size) {
        this.size = size;
        this.tree = type != ObjectType.METADATA;
        this.crcs = new long[chunks(size, CRC_CHUNK_BYTES)];
        this.digests = new byte[tree ? chunks(size, TreeDigest.CHUNK_BYTES) : 1][];
    }

    /** How many checksum chunks an object of this size has. */
    public static int crcChunks(long size) {
        return chunks(size, CRC_CHUNK_BYTES);
    }

    private static int chunks(long size, int chunk) {
        return Math.toIntExact((size + chunk - 1) / chunk);
    }

    /** The spans that are not complete yet, each at most {@code atMost} bytes, in order; lanes may take one each. */
    public synchronized List<Span> missing(long atMost) {
        if (!tree) {
            return digests[0] == null && size > 0 ? List.of(new Span(0, size)) : List.of();
        }
        long step = Math.max(1, atMost / TreeDigest.CHUNK_BYTES);
        List<Span> spans = new ArrayList<>();
        for (int i = 0; i < digests.length; i++) {
            if (digests[i] == null) {
                int end = i + 1;
                while (end < digests.length && end - i < step && digests[end] == null) {
                    end++;
                }
                spans.add(new Span(
                        (long) i * TreeDigest.CHUNK_BYTES, Math.min(size, (long) end * TreeDigest.CHUNK_BYTES)));
                i = end - 1;
            }
        }
        return spans;
    }

    /** Bytes in complete digest chunks. */
    public synchronized long completeBytes() {
        if (!tree) {
            return digests[0] == null ? 0 : size;
        }
        long bytes = 0;
        for (int i = 0; i < digests.length; i++) {
            if (digests[i] != null) {
                bytes += Math.min(TreeDigest.CHUNK_BYTES, size - (long) i * TreeDigest.CHUNK_BYTES);
            }
        }
        return bytes;
    }

    /** Forgets everything: the bytes were not what they should be. */
    public synchronized void reset() {
        Arrays.fill(digests, null);
    }

    /** Forgets one span: its bytes must come again. */
    public synchronized void forget(Span span) {
        if (tree) {
            int first = (int) (span.from() / TreeDigest.CHUNK_BYTES);
            Arrays.fill(digests, first, chunks(span.to(), TreeDigest.CHUNK_BYTES), null);
        } else {
            digests[0] = null;
        }
    }

    /**
     * A sequential run over one span.
     *
     * @param expected the checksums that this span's chunks must have, from its first chunk on; may be shorter
     */
    public Lane lane(Span span, List<Long> expected) {
        if (span.from() % (tree ? TreeDigest.CHUNK_BYTES : Long.MAX_VALUE) != 0) {
            throw new IllegalArgumentException("a lane starts at a digest chunk");
        }
        return new Lane(span, expected);
    }

    /**
     * The result, once every span is complete.
     *
     * @throws IllegalStateException when bytes are missing
     */
    public synchronized SealedContent finish() {
        if (!tree && size == 0) {
            digests[0] = Sha256.of(new byte[0]);
        }
        List<byte[]> complete = new ArrayList<>(digests.length);
        for (byte[] digest : digests) {
            if (digest == null) {
                throw new IllegalStateException("not all bytes are there");
            }
            complete.add(digest);
        }
        String digest = tree ? TreeDigest.ofChunks(complete) : HexFormat.of().formatHex(complete.getFirst());
        return new SealedContent(size, digest, Arrays.stream(crcs).boxed().toList());
    }

    private synchronized void completed(int digestChunk, byte[] digest) {
        digests[digestChunk] = digest;
    }

    private synchronized void checksummed(int crcChunk, long crc) {
        crcs[crcChunk] = crc;
    }

    /** Takes the bytes of one span in order. Not thread-safe; several lanes may run at once. */
    public final class Lane {

        private final Span span;
        private final List<Long> expected;
        private final CRC32C crc = new CRC32C();
        private final MessageDigest sha = Sha256.newDigest();
        private long position;

        private Lane(Span span, List<Long> expected) {
            this.span = span;
            this.expected = expected;
            this.position = span.from();
        }

        /** The offset of the next byte. */
        public long position() {
            return position;
        }

        public Span span() {
            return span;
        }

        /**
         * Takes the remaining bytes of the buffer, heap or direct, and leaves it empty.
         *
         * @throws ProblemException CHECKSUM_MISMATCH when a chunk has not the expected checksum
         */
        public void update(ByteBuffer bytes) {
            while (bytes.hasRemaining()) {
                int toBoundary = CRC_CHUNK_BYTES - (int) (position % CRC_CHUNK_BYTES);
                int take = (int) Math.min(Math.min(bytes.remaining(), toBoundary), span.to() - position);
                if (take == 0) {
                    throw new IllegalArgumentException("more bytes than the lane has");
                }
                ByteBuffer part = bytes.slice(bytes.position(), take);
                crc.update(part.duplicate());
                sha.update(part);
                bytes.position(bytes.position() + take);
                position += take;
                closeChunks();
            }
        }

        private void closeChunks() {
            if (position % CRC_CHUNK_BYTES == 0 || position == size) {
                int chunk = (int) ((position - 1) / CRC_CHUNK_BYTES);
                int fromFirst = chunk - (int) (span.from() / CRC_CHUNK_BYTES);
                if (fromFirst < expected.size() && expected.get(fromFirst) != crc.getValue()) {
                    throw new ProblemException(
                            ProblemCode.CHECKSUM_MISMATCH, "chunk " + chunk + " arrived with a wrong CRC32C");
                }
                checksummed(chunk, crc.getValue());
                crc.reset();
            }
            if (tree && (position % TreeDigest.CHUNK_BYTES == 0 || position == size)) {
                completed((int) ((position - 1) / TreeDigest.CHUNK_BYTES), sha.digest());
            } else if (!tree && position == size) {
                completed(0, sha.digest());
            }
        }
    }
}
