package io.weighbridge.client.weights;

import io.weighbridge.ledger.key.TreeDigest;
import io.weighbridge.manifest.packing.ObjectPlan;
import io.weighbridge.manifest.packing.Segment;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The bytes of planned objects, read from the checkpoint's files where they lie; gaps between segments are zeros. */
final class ObjectBytes implements AutoCloseable {

    private static final int BUFFER_BYTES = 1 << 20;

    private final Map<Path, FileChannel> channels = new ConcurrentHashMap<>();

    /** Digests an object, reading it once. */
    String digest(ObjectPlan object) throws IOException {
        TreeDigest digest = new TreeDigest();
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        for (long position = 0; position < object.size(); ) {
            buffer.clear();
            position += read(object, position, buffer);
            digest.update(buffer.flip());
        }
        return digest.finish();
    }

    /** The object's bytes from an offset to its end. */
    InputStream open(ObjectPlan object, long offset) {
        return new InputStream() {
            private long position = offset;

            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
            }

            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                if (position == object.size()) {
                    return -1;
                }
                int count = ObjectBytes.this.read(object, position, ByteBuffer.wrap(bytes, from, length));
                position += count;
                return count;
            }
        };
    }

    /** Fills the buffer as far as the object goes and returns the count. */
    private int read(ObjectPlan object, long position, ByteBuffer into) throws IOException {
        if (into.remaining() > object.size() - position) {
            into.limit(into.position() + (int) (object.size() - position));
        }
        int start = into.position();
        long at = position;
        for (int i = firstEndingAfter(object, position); i < object.segments().size() && into.hasRemaining(); i++) {
            Segment segment = object.segments().get(i);
            at += pad(into, segment.objectOffset() - at);
            if (into.hasRemaining()) {
                at += copy(segment, at, into);
            }
        }
        pad(into, into.remaining());
        return into.position() - start;
    }

    private static int firstEndingAfter(ObjectPlan object, long position) {
        int low = 0;
        int high = object.segments().size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            Segment segment = object.segments().get(middle);
            if (segment.objectOffset() + segment.length() <= position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static long pad(ByteBuffer into, long count) {
        int zeros = (int) Math.clamp(count, 0, into.remaining());
        for (int i = 0; i < zeros; i++) {
            into.put((byte) 0);
        }
        return zeros;
    }

    private int copy(Segment segment, long at, ByteBuffer into) throws IOException {
        long skip = at - segment.objectOffset();
        int length = (int) Math.min(into.remaining(), segment.length() - skip);
        ByteBuffer window = into.slice(into.position(), length);
        FileChannel channel = channel(segment.file());
        while (window.hasRemaining()) {
            if (channel.read(window, segment.fileOffset() + skip + window.position()) < 0) {
                throw new EOFException(segment.file() + " became shorter while it was read");
            }
        }
        into.position(into.position() + length);
        return length;
    }

    private FileChannel channel(Path file) throws IOException {
        FileChannel open = channels.get(file);
        if (open != null) {
            return open;
        }
        FileChannel opened = FileChannel.open(file, StandardOpenOption.READ);
        FileChannel raced = channels.putIfAbsent(file, opened);
        if (raced != null) {
            opened.close();
            return raced;
        }
        return opened;
    }

    @Override
    public void close() throws IOException {
        for (FileChannel channel : channels.values()) {
            channel.close();
        }
    }
}
