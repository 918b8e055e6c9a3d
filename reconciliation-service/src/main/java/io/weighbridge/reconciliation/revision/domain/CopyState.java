package io.weighbridge.reconciliation.revision.domain;

/** What one copy of a member is good for. Copies that are REMOVED or FAILED are not copies any more. */
public enum CopyState {
    /** May be read now (spec 2.1). */
    READABLE,
    /** Complete, but its node is dead or its segment gone or changed: may not be read. */
    UNREADABLE,
    /** Complete, on a segment that is being verified: may become readable by itself. */
    RETURNING,
    /** Being written. */
    MOVING,
    /** Reserved or begun, and nobody writes it any more. */
    ABANDONED;

    /** Space that will hold, or may again hold, bytes of the member. */
    public boolean isComplete() {
        return switch (this) {
            case READABLE, UNREADABLE, RETURNING -> true;
            case MOVING, ABANDONED -> false;
        };
    }
}
