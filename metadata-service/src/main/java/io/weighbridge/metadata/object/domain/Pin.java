package io.weighbridge.metadata.object.domain;

/** What keeps generic eviction away from an object (spec 2.6). A soft pin expires, a hard one does not. */
public enum Pin {
    NONE,
    SOFT,
    HARD
}
