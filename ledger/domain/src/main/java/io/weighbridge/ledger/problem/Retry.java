package io.weighbridge.ledger.problem;

/** What a caller may do with a refusal (spec 5.1). */
public enum Retry {
    /** The same request can never succeed. */
    NEVER,
    /** Read the resource again, then decide anew. */
    AFTER_REFRESH,
    /** The same request may succeed later. */
    LATER
}
