package io.weighbridge.agent.tier;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.vocabulary.Tier;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A bounded store of extents on one tier. It counts bytes as the ledger does: an extent's size, from its reservation
 * until its space has returned. Adapters supply the bytes.
 */
public abstract class Segment implements AutoCloseable {

    private final Identity identity;
    private final Executor threads;
    private final Map<UUID, Extent> extents = new ConcurrentHashMap<>();
    private final Set<UUID> reserving = ConcurrentHashMap.newKeySet();
    private final AtomicLong used = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();

    /**
     * @param segmentId kept over restarts
     * @param arenaId random, made with the bytes: it changes when they are lost
     * @param capacity bytes
     */
    public record Identity(UUID segmentId, Tier tier, UUID arenaId, long capacity) {}

    /** @param threads where blocking clean-up runs */
    protected Segment(Identity identity, Executor threads) {
        this.identity = identity;
        this.threads = threads;
    }

    public final Identity identity() {
        return identity;
    }

    public final long usedBytes() {
        return used.get();
    }

    public final int extentCount() {
        return extents.size();
    }

    /** How often input or output has failed since this was last asked. */
    public final long takeFailures() {
        return failures.getAndSet(0);
    }

    /** Counts failures again whose report did not arrive. */
    public final void giveBackFailures(long count) {
        failures.addAndGet(count);
    }

    public final @Nullable Extent find(UUID replicaId) {
        return extents.get(replicaId);
    }

    public final List<Extent> extents() {
        return List.copyOf(extents.values());
    }

    /**
     * Takes space. May block.
     *
     * @throws ProblemException NO_SPACE before a byte moves, CONFLICT when the copy has an extent already, BUSY while
     *     it is getting one
     */
    public final Extent reserve(ExtentSpec spec) throws IOException {
        if (!reserving.add(spec.replicaId())) {
            throw new ProblemException(ProblemCode.BUSY, "another upload of this copy is in progress");
        }
        try {
            if (extents.containsKey(spec.replicaId())) {
                throw new ProblemException(ProblemCode.CONFLICT, "the copy has an extent already");
            }
            take(spec.size());
            Extent extent = new Extent(spec, allocateOrGiveBack(spec), this, null);
            extents.put(spec.replicaId(), extent);
            return extent;
        } finally {
            reserving.remove(spec.replicaId());
        }
    }

    private ExtentBytes allocateOrGiveBack(ExtentSpec spec) throws IOException {
        boolean allocated = false;
        try {
            ExtentBytes bytes = allocate(spec);
            allocated = true;
            return bytes;
        } catch (IOException e) {
            throw failed(e);
        } finally {
            if (!allocated) {
                used.addAndGet(-spec.size());
            }
        }
    }

    /** Closes the extent; the future completes when its space has returned. An unknown copy is free already. */
    public final CompletableFuture<Void> free(UUID replicaId) {
        Extent extent = extents.get(replicaId);
        return extent == null ? CompletableFuture.completedFuture(null) : extent.free();
    }

    /**
     * Reads a sealed extent whole and compares it with its checksums. May block for long.
     *
     * @throws DamagedException when a byte is wrong or missing
     */
    public abstract void verify(Extent extent) throws IOException;

    /** Gives the memory or the directory back. */
    @Override
    public abstract void close();

    /** Copies that were found damaged when the segment was opened; they take no part in anything else. */
    public List<UUID> damaged() {
        return List.of();
    }

    /** Deletes what is left of a damaged copy. May block. */
    public void discardDamaged(UUID replicaId) throws IOException {}

    /** New bytes for an extent; the capacity has been checked. */
    protected abstract ExtentBytes allocate(ExtentSpec spec) throws IOException;

    /** Takes in an extent that was found, whole, when the segment was opened. */
    protected final void adopt(ExtentSpec spec, ExtentBytes bytes, SealedContent content) {
        used.addAndGet(spec.size());
        extents.put(spec.replicaId(), new Extent(spec, bytes, this, content));
    }

    /** Counts a failure of the technology and says what callers are told. */
    final IOException failed(IOException failure) {
        failures.incrementAndGet();
        return failure;
    }

    final Executor threads() {
        return threads;
    }

    final void discarded(Extent extent) {
        if (extents.remove(extent.spec().replicaId(), extent)) {
            used.addAndGet(-extent.spec().size());
        }
    }

    private void take(long size) {
        long before = used.getAndUpdate(now -> size <= identity.capacity() - now ? now + size : now);
        if (size > identity.capacity() - before) {
            throw noSpace(size, identity.capacity() - before);
        }
    }

    /** The refusal for a full tier. */
    protected static ProblemException noSpace(long wanted, long free) {
        return new ProblemException(
                ProblemCode.NO_SPACE,
                "the segment has " + Math.max(0, free) + " bytes free, " + wanted + " are wanted");
    }
}
