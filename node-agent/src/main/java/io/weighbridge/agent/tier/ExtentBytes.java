package io.weighbridge.agent.tier;

import io.netty.buffer.ByteBuf;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The bytes of one extent as a technology keeps them. {@link Extent} guards their life; adapters only move bytes. */
public interface ExtentBytes {

    /** Writes the remaining bytes at the offset and leaves the buffer empty. Offsets are within the extent. */
    void write(long offset, ByteBuffer bytes) throws IOException;

    /** Makes the bytes as durable as the tier makes them. Called once all bytes are written; may be repeated. */
    void seal(SealedContent content) throws IOException;

    /**
     * Opens the sealed bytes.
     *
     * @param users counts buffers that show the extent's own memory, as further users of it
     */
    Handle open(Users users) throws IOException;

    /** Returns the space. Nobody reads or writes any more. */
    void discard() throws IOException;

    /** Who uses an extent. Both methods may be called from any thread and do not block. */
    interface Users {

        /** One more, on behalf of somebody who is one already. */
        void join();

        void leave();
    }

    /** An open view of sealed bytes. */
    interface Handle extends Closeable {

        /**
         * Bytes from {@code offset} on, off-heap: at least one and at most {@code atMost}. The caller releases them.
         *
         * @throws DamagedException when they are not the bytes that were sealed
         */
        ByteBuf read(long offset, int atMost) throws IOException;

        /** True when {@link #read} shows memory in place and never blocks. */
        default boolean isInPlace() {
            return false;
        }

        @Override
        default void close() throws IOException {}
    }
}
