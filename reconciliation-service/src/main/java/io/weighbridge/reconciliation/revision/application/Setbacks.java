package io.weighbridge.reconciliation.revision.application;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.reconciliation.work.domain.Backoff;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Nodes to which copies have failed lately, by revision: they rest for a while, longer each time. Kept by each instance
 * for itself and lost with it, which costs another failure.
 */
final class Setbacks {

    private static final Backoff PAUSE = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(2));

    /** After this long without a failure the past is forgotten. */
    private static final Duration MEMORY = Duration.ofMinutes(10);

    private record Place(RevisionId revision, UUID nodeId) {}

    private record Setback(int failures, Instant until) {}

    private final Map<Place, Setback> setbacks = new ConcurrentHashMap<>();
    private final Clock clock;

    Setbacks(Clock clock) {
        this.clock = clock;
    }

    /** A copy to this node has failed. Further failures of the same pass count once. */
    void add(RevisionId revision, UUID nodeId) {
        Instant now = clock.instant();
        setbacks.entrySet()
                .removeIf(entry -> entry.getValue().until().plus(MEMORY).isBefore(now));
        setbacks.compute(new Place(revision, nodeId), (_, before) -> {
            if (before != null && before.until().isAfter(now)) {
                return before;
            }
            int failures = before == null ? 1 : before.failures() + 1;
            return new Setback(failures, now.plus(PAUSE.after(failures, 1)));
        });
    }

    /** Where this revision's copies shall not go now. */
    Set<UUID> shunned(RevisionId revision) {
        Instant now = clock.instant();
        Set<UUID> shunned = new HashSet<>();
        setbacks.forEach((place, setback) -> {
            if (place.revision().equals(revision) && setback.until().isAfter(now)) {
                shunned.add(place.nodeId());
            }
        });
        return shunned;
    }
}
