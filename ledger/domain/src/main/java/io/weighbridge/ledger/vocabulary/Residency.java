package io.weighbridge.ledger.vocabulary;

/** Where a revision's members were observed (spec 1.2). */
public enum Residency {
    UNKNOWN,
    /** Every member is in memory. */
    HOT,
    /** Every member is on a cold tier and none in memory. */
    COLD,
    /** Neither hot nor cold throughout. */
    MIXED,
    /** Nothing is readable. */
    ABSENT
}
