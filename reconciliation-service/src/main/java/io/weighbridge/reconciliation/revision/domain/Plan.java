package io.weighbridge.reconciliation.revision.domain;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to do now, in this order, and when to look again.
 *
 * @param lookAgainAt absent: not before something wakes us
 */
public record Plan(List<Action> actions, @Nullable Instant lookAgainAt) {

    public Plan {
        actions = List.copyOf(actions);
    }

    /** All is as it should be. */
    static Plan settled() {
        return new Plan(List.of(), null);
    }

    static Plan waitUntil(Instant time) {
        return new Plan(List.of(), time);
    }

    /** Do this, and look at once what has come of it. */
    static Plan act(Instant now, Action action) {
        return new Plan(List.of(action), now);
    }

    /** There is nothing to do and nothing to wait for. */
    public boolean isSettled() {
        return actions.isEmpty() && lookAgainAt == null;
    }
}
