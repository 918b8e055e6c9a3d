package io.weighbridge.ledger.vocabulary;

/** What may be done with a segment (spec 2.6). */
public enum SegmentState {
    /** Registered; its bytes are being verified and may not be read. */
    VERIFYING,
    MOUNTED,
    /** Readable, but takes no new allocations. */
    DRAINING,
    /** Its I/O fails: neither readable nor allocatable. */
    QUARANTINED,
    UNMOUNTED
}
