package io.weighbridge.agent.tier.memory;

import io.netty.buffer.ByteBuf;
import io.weighbridge.agent.flow.LentBuf;
import io.weighbridge.agent.tier.DamagedException;
import io.weighbridge.agent.tier.Extent;
import io.weighbridge.agent.tier.ExtentBytes;
import io.weighbridge.agent.tier.ExtentSpec;
import io.weighbridge.agent.tier.SealedContent;
import io.weighbridge.agent.tier.Segment;
import io.weighbridge.ledger.vocabulary.Tier;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** Extents in one off-heap arena. The arena id is new with each start, since the bytes are. */
public final class MemoryTier extends Segment {

    private final ArenaMapping mapping;
    private final ArenaSpace space;

    /** Users of the mapping: the tier, every write in progress and every buffer given out. The last one ends it. */
    private final AtomicInteger users = new AtomicInteger(1);

    private MemoryTier(Identity identity, ArenaMapping mapping, long addresses) {
        super(identity, Runnable::run);
        this.mapping = mapping;
        this.space = new ArenaSpace(addresses);
    }

    /**
     * Opens an empty arena.
     *
     * @param capacity bytes of payload, at least 1
     */
    public static MemoryTier open(UUID segmentId, UUID arenaId, long capacity) throws IOException {
        // Addresses cost nothing: the surplus keeps rounding and fragmentation from refusing what the capacity allows.
        long addresses = ArenaSpace.footprint(capacity + capacity / 4 + (64L << 20));
        return new MemoryTier(
                new Identity(segmentId, Tier.MEMORY, arenaId, capacity), ArenaMapping.create(addresses), addresses);
    }

    /** Only that every extent has its content: memory that the process still has is not read again. */
    @Override
    public void verify(Extent extent) throws IOException {
        if (extent.content() == null) {
            throw new DamagedException("the extent is not whole");
        }
    }

    @Override
    public void close() {
        leave();
    }

    @Override
    protected ExtentBytes allocate(ExtentSpec spec) {
        if (spec.size() == 0) {
            return new ArenaBytes(0, 0);
        }
        long offset = space.take(spec.size());
        if (offset == ArenaSpace.NONE) {
            throw noSpace(spec.size(), identity().capacity() - usedBytes());
        }
        return new ArenaBytes(offset, spec.size());
    }

    private void join() throws IOException {
        if (users.getAndUpdate(count -> count == 0 ? 0 : count + 1) == 0) {
            throw new IOException("the arena is closed");
        }
    }

    private void leave() {
        if (users.decrementAndGet() == 0) {
            mapping.close();
        }
    }

    private final class ArenaBytes implements ExtentBytes {

        private final long start;
        private final long size;

        ArenaBytes(long start, long size) {
            this.start = start;
            this.size = size;
        }

        @Override
        public void write(long offset, ByteBuffer bytes) throws IOException {
            int length = bytes.remaining();
            MemoryTier.this.join();
            try {
                MemorySegment.copy(MemorySegment.ofBuffer(bytes), 0, within(offset, length), 0, length);
            } finally {
                MemoryTier.this.leave();
            }
            bytes.position(bytes.limit());
        }

        @Override
        public void seal(SealedContent content) {
            // Memory has nothing to make durable.
        }

        @Override
        public ExtentBytes.Handle open(ExtentBytes.Users extent) {
            return new ExtentBytes.Handle() {
                @Override
                public ByteBuf read(long offset, int atMost) throws IOException {
                    return slice(extent, offset, atMost);
                }

                @Override
                public boolean isInPlace() {
                    return true;
                }
            };
        }

        @Override
        public void discard() {
            if (size > 0) {
                space.give(start, size);
            }
        }

        private ByteBuf slice(ExtentBytes.Users extent, long offset, int atMost) throws IOException {
            ByteBuffer slice = within(offset, Math.min(atMost, size - offset)).asByteBuffer();
            MemoryTier.this.join();
            extent.join();
            return new LentBuf(slice, () -> {
                extent.leave();
                MemoryTier.this.leave();
            });
        }

        private MemorySegment within(long offset, long length) {
            if (offset < 0 || length < 0 || offset + length > size) {
                throw new IndexOutOfBoundsException("outside the extent");
            }
            return mapping.memory().asSlice(start + offset, length);
        }
    }
}
