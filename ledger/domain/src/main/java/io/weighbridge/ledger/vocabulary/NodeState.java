package io.weighbridge.ledger.vocabulary;

/** What the ledger thinks of a node (spec 2.6). */
public enum NodeState {
    /** Registered, its segments not all verified and mounted yet. */
    JOINING,
    LIVE,
    /** Heartbeats are missing: no new allocations. */
    SUSPECT,
    /** Its replicas are not readable. */
    DEAD
}
