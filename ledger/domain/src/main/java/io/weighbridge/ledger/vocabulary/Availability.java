package io.weighbridge.ledger.vocabulary;

/** Whether the complete revision is safe to discover and load (spec 1.2). */
public enum Availability {
    IMPORTING,
    READY,
    DEGRADED,
    DELETING,
    DELETED
}
