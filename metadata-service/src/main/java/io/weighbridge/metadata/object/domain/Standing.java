package io.weighbridge.metadata.object.domain;

/** What a copy's segment and node mean for the copy, whatever its own state (spec 2.1). */
public enum Standing {
    /** Mounted by a live node under the copy's epoch: a COMPLETE copy is readable. */
    SOUND,
    /** The agent has not verified the segment yet; the bytes are expected back soon. */
    VERIFYING,
    /** The node is dead, or the segment unmounted or quarantined; the bytes may come back. */
    AWAY,
    /** The segment's epoch has moved: the bytes are gone. */
    MOVED
}
