package io.weighbridge.ledger.store;

import io.weighbridge.ledger.identity.RevisionId;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * The revision guards that a transaction takes first (spec 1.6). One transaction takes shared or exclusive ones, never
 * both, so that no lock is ever raised.
 *
 * @param mode how the keys are locked
 * @param keys sorted and without duplicates, at most {@value #MOST}
 */
public record Guards(Mode mode, List<Long> keys) {

    /** The most guards that one transaction may take. */
    public static final int MOST = 128;

    private static final Guards NONE = new Guards(Mode.SHARED, List.of());

    /** How a guard is held. */
    public enum Mode {
        /** Lease grants and member puts: many at once. */
        SHARED("pg_advisory_xact_lock_shared", "pg_try_advisory_xact_lock_shared"),
        /** Every change of a revision's availability, residency or operation: one at a time. */
        EXCLUSIVE("pg_advisory_xact_lock", "pg_try_advisory_xact_lock");

        private final String lock;
        private final String tryLock;

        Mode(String lock, String tryLock) {
            this.lock = lock;
            this.tryLock = tryLock;
        }

        String lock() {
            return lock;
        }

        String tryLock() {
            return tryLock;
        }
    }

    public Guards {
        keys = List.copyOf(keys);
        if (keys.size() > MOST) {
            throw new IllegalArgumentException("a transaction takes at most " + MOST + " guards, not " + keys.size());
        }
    }

    public static Guards none() {
        return NONE;
    }

    public static Guards shared(RevisionId revision) {
        return of(Mode.SHARED, List.of(revision));
    }

    public static Guards shared(Collection<RevisionId> revisions) {
        return of(Mode.SHARED, revisions);
    }

    public static Guards exclusive(RevisionId revision) {
        return of(Mode.EXCLUSIVE, List.of(revision));
    }

    private static Guards of(Mode mode, Collection<RevisionId> revisions) {
        return new Guards(mode, sortedKeys(revisions));
    }

    static List<Long> sortedKeys(Collection<RevisionId> revisions) {
        Stream<Long> keys = revisions.stream().map(RevisionId::guardKey);
        return keys.distinct().sorted().toList();
    }
}
