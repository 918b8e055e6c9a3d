package io.weighbridge.ledger.vocabulary;

/** Durable work on a whole payload group (spec 1.2). */
public enum OperationKind {
    NONE,
    EVICTING,
    REHYDRATING,
    REPAIRING
}
