package io.weighbridge.agent.tier;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Reads one sealed extent, which is not freed before the reader and all buffers it gave out are gone. */
public final class ExtentReader implements AutoCloseable {

    private final Extent extent;
    private final ExtentBytes.Handle handle;
    private final AtomicBoolean open = new AtomicBoolean(true);

    ExtentReader(Extent extent, ExtentBytes.Handle handle) {
        this.extent = extent;
        this.handle = handle;
    }

    public Extent extent() {
        return extent;
    }

    /**
     * Bytes from {@code offset} on, off-heap: at least one and at most {@code atMost}. The caller releases them. May
     * block.
     *
     * @throws DamagedException when they are not the bytes that were sealed
     */
    public ByteBuf read(long offset, int atMost) throws IOException {
        try {
            return handle.read(offset, atMost);
        } catch (DamagedException e) {
            throw e;
        } catch (IOException e) {
            throw extent.segment().failed(e);
        }
    }

    /** True when {@link #read} shows memory in place and never blocks. */
    public boolean isInPlace() {
        return handle.isInPlace();
    }

    /** Never blocks the caller. */
    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            extent.segment().threads().execute(() -> {
                try {
                    handle.close();
                } catch (IOException e) {
                    extent.segment().failed(e);
                } finally {
                    extent.leave();
                }
            });
        }
    }
}
