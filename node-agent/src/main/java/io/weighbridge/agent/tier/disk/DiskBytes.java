package io.weighbridge.agent.tier.disk;

import io.weighbridge.agent.tier.ExtentBytes;
import io.weighbridge.agent.tier.ExtentSpec;
import io.weighbridge.agent.tier.SealedContent;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One extent's file: written under a temporary name, forced, then renamed. */
final class DiskBytes implements ExtentBytes {

    private final SegmentFolder folder;
    private final ExtentSpec spec;
    private final AtomicLong promised;
    private @Nullable FileChannel file;
    private @Nullable SealedContent content;

    /** @param promised counts this extent's bytes until they are written or the extent is gone */
    DiskBytes(SegmentFolder folder, ExtentSpec spec, FileChannel file, AtomicLong promised) {
        this.folder = folder;
        this.spec = spec;
        this.file = file;
        this.promised = promised;
    }

    private DiskBytes(SegmentFolder folder, ExtentTrailer trailer) {
        this.folder = folder;
        this.spec = trailer.spec();
        this.promised = new AtomicLong();
        this.content = trailer.content();
    }

    /** An extent that is whole already. */
    static DiskBytes whole(SegmentFolder folder, ExtentTrailer trailer) {
        return new DiskBytes(folder, trailer);
    }

    @Override
    public void write(long offset, ByteBuffer bytes) throws IOException {
        write(opened(), offset, bytes);
    }

    @Override
    public synchronized void seal(SealedContent sealed) throws IOException {
        FileChannel channel = opened();
        write(channel, spec.size(), new ExtentTrailer(spec, sealed).encode());
        channel.force(true);
        folder.publish(spec.replicaId());
        content = sealed;
        release(channel);
    }

    @Override
    public synchronized Handle open(Users users) throws IOException {
        if (content == null) {
            throw new IOException("the extent is not whole");
        }
        return DiskReading.open(folder.extent(spec.replicaId()), content);
    }

    @Override
    public synchronized void discard() throws IOException {
        if (file != null) {
            release(file);
        }
        folder.delete(spec.replicaId());
    }

    private synchronized FileChannel opened() throws IOException {
        if (file == null) {
            throw new IOException("the extent is not being written");
        }
        return file;
    }

    private void release(FileChannel channel) throws IOException {
        file = null;
        promised.addAndGet(-spec.size());
        channel.close();
    }

    private void write(FileChannel channel, long offset, ByteBuffer bytes) throws IOException {
        long at = offset;
        try {
            while (bytes.hasRemaining()) {
                at += channel.write(bytes, at);
            }
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).contains("No space left")) {
                throw new ProblemException(ProblemCode.NO_SPACE, "the disk is full");
            }
            throw e;
        }
    }
}
