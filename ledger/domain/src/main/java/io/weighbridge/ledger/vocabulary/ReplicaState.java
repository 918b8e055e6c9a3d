package io.weighbridge.ledger.vocabulary;

/** The life of one copy of an object (spec 2.1). FAILED and REMOVED are terminal. */
public enum ReplicaState {
    /** Space is reserved. */
    INITIALIZED,
    /** The agent has opened it. */
    PROCESSING,
    /** Committed; readable while its segment's epoch stands. */
    COMPLETE,
    FAILED,
    /** Unreadable; its bytes may still await reclaiming. */
    REMOVED
}
