package io.weighbridge.agent.tier;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * This node's segments with the epochs that the ledger gave them. Before it is mounted, nothing is read from a segment
 * or written to it; while it is being mounted again, readers go on under the epoch that they know.
 */
public final class Segments {

    private final Map<UUID, Segment> segments = new LinkedHashMap<>();
    private final Map<UUID, Long> epochs = new ConcurrentHashMap<>();
    private final Set<UUID> mounted = ConcurrentHashMap.newKeySet();

    public Segments(List<Segment> all) {
        all.forEach(segment -> segments.put(segment.identity().segmentId(), segment));
    }

    public List<Segment> all() {
        return List.copyOf(segments.values());
    }

    public void mounted(UUID segmentId, long epoch) {
        epochs.put(segmentId, epoch);
        mounted.add(segmentId);
    }

    /** No writer is let in until the segments are mounted again. */
    public void remounting() {
        mounted.clear();
    }

    /** Nobody is let in any more. */
    public void withdraw() {
        mounted.clear();
        epochs.clear();
    }

    /** The epoch under which the segment was last mounted; null when it was not. */
    public @Nullable Long epoch(UUID segmentId) {
        return epochs.get(segmentId);
    }

    public boolean isMounted(UUID segmentId) {
        return mounted.contains(segmentId);
    }

    public boolean allMounted() {
        return !segments.isEmpty() && mounted.containsAll(segments.keySet());
    }

    /**
     * The segment under exactly this epoch.
     *
     * @throws ProblemException STALE_TOKEN when the segment is not ours or its epoch has moved, UNAVAILABLE while it is
     *     not mounted
     */
    public Segment writable(UUID segmentId, long epoch) {
        Segment segment = segments.get(segmentId);
        if (segment == null) {
            throw new ProblemException(ProblemCode.STALE_TOKEN, "this node has no such segment");
        }
        Long current = epochs.get(segmentId);
        if (current == null || !mounted.contains(segmentId)) {
            throw new ProblemException(ProblemCode.UNAVAILABLE, "the segment is not mounted yet");
        }
        if (current != epoch) {
            throw new ProblemException(ProblemCode.STALE_TOKEN, "the segment's epoch has moved to " + current);
        }
        return segment;
    }

    /** The extent of a copy, wherever it lies. */
    public @Nullable Extent find(UUID replicaId) {
        for (Segment segment : segments.values()) {
            Extent extent = segment.find(replicaId);
            if (extent != null) {
                return extent;
            }
        }
        return null;
    }

    /** Closes a copy's extent; the future completes when its space has returned. An unknown copy is free already. */
    public CompletableFuture<Void> free(UUID replicaId) {
        Extent extent = find(replicaId);
        return extent == null
                ? CompletableFuture.completedFuture(null)
                : extent.segment().free(replicaId);
    }
}
