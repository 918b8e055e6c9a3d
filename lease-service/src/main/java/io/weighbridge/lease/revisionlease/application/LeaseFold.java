package io.weighbridge.lease.revisionlease.application;

import io.weighbridge.lease.revisionlease.domain.LeaseCommand;
import io.weighbridge.lease.revisionlease.domain.LeaseDecider;
import io.weighbridge.lease.revisionlease.domain.LeaseEvent;
import io.weighbridge.lease.revisionlease.domain.LeaseState;
import io.weighbridge.lease.revisionlease.domain.LeaseState.Lease;
import io.weighbridge.lease.revisionlease.postgres.LeaseChanges;
import io.weighbridge.lease.revisionlease.postgres.LeaseChanges.Happened;
import io.weighbridge.lease.revisionlease.postgres.LeaseChanges.Rewritten;
import io.weighbridge.ledger.decision.Decision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Commands of one transaction in the order of their arrival: each is decided on what those before it left.
 *
 * @param <K> what commands name a lease by
 */
final class LeaseFold<K> {

    private final Map<K, Lease> found = new HashMap<>();
    private final Map<K, @Nullable Lease> touched = new LinkedHashMap<>();
    private final List<Happened> events = new ArrayList<>();

    /** @param rows locked by this transaction */
    LeaseFold(List<Lease> rows, Function<Lease, K> key) {
        rows.forEach(row -> found.put(key.apply(row), row));
    }

    /** Decides one command; what it changes is kept for those after it. */
    Decision<LeaseEvent> decide(
            K key, LeaseState.@Nullable Revision revision, LeaseCommand command, Instant now, String subject) {
        Lease lease = touched.containsKey(key) ? touched.get(key) : found.get(key);
        Decision<LeaseEvent> decision = LeaseDecider.decide(new LeaseState(revision, lease), command, now);
        if (decision instanceof Decision.Accepted<LeaseEvent>(List<LeaseEvent> accepted)) {
            for (LeaseEvent event : accepted) {
                touched.put(key, event.after());
                events.add(new Happened(event, subject));
            }
        }
        return decision;
    }

    /** The row as it is after the commands so far. */
    @Nullable
    Lease current(K key) {
        return touched.containsKey(key) ? touched.get(key) : found.get(key);
    }

    /** From the rows as they were found to what they are now. */
    LeaseChanges changes() {
        List<Lease> granted = new ArrayList<>();
        List<Rewritten> rewritten = new ArrayList<>();
        List<Lease> prolonged = new ArrayList<>();
        List<Lease> gone = new ArrayList<>();
        touched.forEach((key, after) -> {
            Lease before = found.get(key);
            if (after == null) {
                if (before != null) {
                    gone.add(before);
                }
            } else if (before == null) {
                granted.add(after);
            } else if (before.leaseId().equals(after.leaseId()) && before.version() == after.version()) {
                prolonged.add(after);
            } else {
                rewritten.add(new Rewritten(before.leaseId(), before.version(), after));
            }
        });
        return new LeaseChanges(granted, rewritten, prolonged, gone, events);
    }
}
