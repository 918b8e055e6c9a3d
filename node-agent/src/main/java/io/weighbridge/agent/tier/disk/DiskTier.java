package io.weighbridge.agent.tier.disk;

import io.netty.buffer.ByteBuf;
import io.weighbridge.agent.tier.DamagedException;
import io.weighbridge.agent.tier.Extent;
import io.weighbridge.agent.tier.ExtentBytes;
import io.weighbridge.agent.tier.ExtentSpec;
import io.weighbridge.agent.tier.SealedContent;
import io.weighbridge.agent.tier.Segment;
import io.weighbridge.ledger.vocabulary.Tier;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Extents as files of one directory, which keeps them over restarts. When it is opened, every file's trailer is
 * checked; {@link #verify} reads the bytes. A damaged file is not offered and is told by {@link #damaged()}.
 */
public final class DiskTier extends Segment {

    private final SegmentFolder folder;
    private final List<UUID> damaged = new CopyOnWriteArrayList<>();

    /** Bytes promised to extents that are not written yet. */
    private final AtomicLong promised = new AtomicLong();

    private DiskTier(Identity identity, SegmentFolder folder, Executor threads) {
        super(identity, threads);
        this.folder = folder;
    }

    /**
     * Opens the directory, which may be new. Blocks.
     *
     * @param capacity bytes of payload that may lie there
     * @param newIds random ids
     * @param threads where files are deleted and closed
     * @throws IOException when it cannot be used, also because another process uses it
     */
    public static DiskTier open(Path directory, long capacity, Supplier<UUID> newIds, Executor threads)
            throws IOException {
        SegmentFolder folder = SegmentFolder.open(directory, newIds);
        Identity identity = new Identity(folder.segmentId(), Tier.LOCAL_DISK, folder.arenaId(), capacity);
        DiskTier tier = new DiskTier(identity, folder, threads);
        try {
            for (Path file : folder.extents()) {
                tier.find(file);
            }
            return tier;
        } catch (IOException | RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    @Override
    public List<UUID> damaged() {
        return List.copyOf(damaged);
    }

    @Override
    public void verify(Extent extent) throws IOException {
        SealedContent content = extent.content();
        if (content == null) {
            throw new DamagedException("the extent is not whole");
        }
        try (DiskReading reading = DiskReading.open(folder.extent(extent.spec().replicaId()), content)) {
            long offset = 0;
            while (offset < content.size()) {
                ByteBuf chunk = reading.read(offset, Integer.MAX_VALUE);
                offset += chunk.readableBytes();
                chunk.release();
            }
        }
    }

    @Override
    public void close() {
        extents().stream()
                .filter(extent -> extent.content() == null)
                .forEach(extent -> free(extent.spec().replicaId()));
        folder.close();
    }

    @Override
    protected ExtentBytes allocate(ExtentSpec spec) throws IOException {
        long before = promised.getAndAdd(spec.size());
        boolean kept = false;
        try {
            long usable = folder.usableBytes() - before;
            if (usable < spec.size()) {
                throw noSpace(spec.size(), usable);
            }
            FileChannel file = FileChannel.open(
                    folder.incoming(spec.replicaId()),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE);
            kept = true;
            return new DiskBytes(folder, spec, file, promised);
        } finally {
            if (!kept) {
                promised.addAndGet(-spec.size());
            }
        }
    }

    private void find(Path file) throws IOException {
        UUID replicaId;
        try {
            replicaId = UUID.fromString(file.getFileName().toString());
        } catch (IllegalArgumentException e) {
            return; // Not ours; an operator may have put it there.
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ExtentTrailer trailer = ExtentTrailer.read(channel, replicaId);
            adopt(trailer.spec(), DiskBytes.whole(folder, trailer), trailer.content());
        } catch (DamagedException e) {
            damaged.add(replicaId);
        }
    }

    @Override
    public void discardDamaged(UUID replicaId) throws IOException {
        if (damaged.remove(replicaId)) {
            folder.delete(replicaId);
        }
    }
}
