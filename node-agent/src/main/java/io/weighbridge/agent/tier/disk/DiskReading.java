package io.weighbridge.agent.tier.disk;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.weighbridge.agent.tier.ContentDigest;
import io.weighbridge.agent.tier.DamagedException;
import io.weighbridge.agent.tier.ExtentBytes;
import io.weighbridge.agent.tier.SealedContent;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * Reads an extent's file chunk by chunk into pooled memory and checks each before it gives it out, so that the bytes
 * sent are the bytes checked.
 */
final class DiskReading implements ExtentBytes.Handle {

    private final FileChannel file;
    private final SealedContent content;

    private DiskReading(FileChannel file, SealedContent content) {
        this.file = file;
        this.content = content;
    }

    static DiskReading open(Path path, SealedContent content) throws IOException {
        try {
            return new DiskReading(FileChannel.open(path, StandardOpenOption.READ), content);
        } catch (NoSuchFileException e) {
            throw new DamagedException("the file is missing");
        }
    }

    @Override
    public ByteBuf read(long offset, int atMost) throws IOException {
        int chunk = (int) (offset / ContentDigest.CRC_CHUNK_BYTES);
        long start = (long) chunk * ContentDigest.CRC_CHUNK_BYTES;
        int length = (int) Math.min(ContentDigest.CRC_CHUNK_BYTES, content.size() - start);
        ByteBuf bytes = PooledByteBufAllocator.DEFAULT.directBuffer(length, length);
        boolean given = false;
        try {
            fill(bytes, start, length);
            CRC32C crc = new CRC32C();
            crc.update(bytes.nioBuffer());
            if (crc.getValue() != content.crc32c().get(chunk)) {
                throw new DamagedException("chunk " + chunk + " has a wrong CRC32C");
            }
            int skip = (int) (offset - start);
            bytes.skipBytes(skip).writerIndex(skip + Math.min(atMost, length - skip));
            given = true;
            return bytes;
        } finally {
            if (!given) {
                bytes.release();
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private void fill(ByteBuf bytes, long start, int length) throws IOException {
        while (bytes.writerIndex() < length) {
            int read = bytes.writeBytes(file, start + bytes.writerIndex(), length - bytes.writerIndex());
            if (read < 0) {
                throw new DamagedException("the file is too short");
            }
        }
    }
}
