package io.weighbridge.agent.tier.disk;

import io.weighbridge.agent.tier.ContentDigest;
import io.weighbridge.agent.tier.DamagedException;
import io.weighbridge.agent.tier.ExtentSpec;
import io.weighbridge.agent.tier.SealedContent;
import io.weighbridge.ledger.key.Utf8;
import io.weighbridge.ledger.vocabulary.ObjectType;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * What follows the payload in an extent's file: a body, then 16 bytes that are found from the file's end (length of the
 * body, its CRC32C, a mark). The format has a version and is never changed, only followed by another.
 */
record ExtentTrailer(ExtentSpec spec, SealedContent content) {

    private static final byte VERSION = 1;
    private static final long MARK = 0x5742_4558_5445_4E54L; // "WBEXTENT"
    private static final int END_BYTES = 4 + 4 + 8;
    private static final int BODY_BYTES_MAX = 64 << 20;

    /** Body and end, ready to be written after the payload. */
    ByteBuffer encode() {
        byte[] key = Utf8.bytes(spec.key());
        int body = 1
                + 1
                + 16
                + 32
                + 8
                + 32
                + 4
                + key.length
                + 4
                + 4 * content.crc32c().size();
        ByteBuffer out = ByteBuffer.allocate(body + END_BYTES);
        out.put(VERSION).put((byte) spec.type().ordinal());
        out.putLong(spec.replicaId().getMostSignificantBits());
        out.putLong(spec.replicaId().getLeastSignificantBits());
        out.put(HexFormat.of().parseHex(spec.objectId())).putLong(spec.size());
        out.put(HexFormat.of().parseHex(content.digest()));
        out.putInt(key.length).put(key);
        out.putInt(content.crc32c().size());
        content.crc32c().forEach(crc -> out.putInt(crc.intValue()));
        CRC32C crc = new CRC32C();
        crc.update(out.array(), 0, body);
        return out.putInt(body).putInt((int) crc.getValue()).putLong(MARK).flip();
    }

    /**
     * Reads the trailer from the end of a file.
     *
     * @throws DamagedException when it is not a whole extent of this copy
     */
    static ExtentTrailer read(FileChannel file, UUID replicaId) throws IOException {
        long length = file.size();
        ByteBuffer end = read(file, length - END_BYTES, END_BYTES);
        int bodyBytes = end.getInt();
        int crc = end.getInt();
        if (end.getLong() != MARK || bodyBytes < 0 || bodyBytes > BODY_BYTES_MAX) {
            throw new DamagedException("the file has no trailer");
        }
        ByteBuffer body = read(file, length - END_BYTES - bodyBytes, bodyBytes);
        CRC32C actual = new CRC32C();
        actual.update(body.duplicate());
        if ((int) actual.getValue() != crc) {
            throw new DamagedException("the trailer is damaged");
        }
        ExtentTrailer trailer = decode(body);
        if (!trailer.spec.replicaId().equals(replicaId)
                || trailer.spec.size() != length - END_BYTES - bodyBytes
                || trailer.content.crc32c().size() != ContentDigest.crcChunks(trailer.spec.size())) {
            throw new DamagedException("the file is not what its trailer says");
        }
        return trailer;
    }

    private static ExtentTrailer decode(ByteBuffer in) throws DamagedException {
        try {
            if (in.get() != VERSION) {
                throw new DamagedException("the trailer has an unknown version");
            }
            ObjectType type = ObjectType.values()[in.get()];
            UUID replicaId = new UUID(in.getLong(), in.getLong());
            String objectId = HexFormat.of().formatHex(bytes(in, 32));
            long size = in.getLong();
            String digest = HexFormat.of().formatHex(bytes(in, 32));
            String key = new String(bytes(in, in.getInt()), StandardCharsets.UTF_8);
            List<Long> crcs = new ArrayList<>();
            for (int left = in.getInt(); left > 0; left--) {
                crcs.add(in.getInt() & 0xFFFF_FFFFL);
            }
            return new ExtentTrailer(
                    new ExtentSpec(replicaId, objectId, key, type, size), new SealedContent(size, digest, crcs));
        } catch (BufferUnderflowException | IndexOutOfBoundsException | NegativeArraySizeException e) {
            throw new DamagedException("the trailer is not well-formed");
        }
    }

    private static byte[] bytes(ByteBuffer in, int count) throws DamagedException {
        if (count < 0 || count > in.remaining()) {
            throw new DamagedException("the trailer is not well-formed");
        }
        byte[] bytes = new byte[count];
        in.get(bytes);
        return bytes;
    }

    private static ByteBuffer read(FileChannel file, long from, int count) throws IOException {
        if (from < 0) {
            throw new DamagedException("the file is too short");
        }
        ByteBuffer bytes = ByteBuffer.allocate(count);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, from + bytes.position()) < 0) {
                throw new DamagedException("the file is too short");
            }
        }
        return bytes.flip();
    }
}
