package io.weighbridge.ledger.vocabulary;

/** Where bytes lie (spec 4.1). */
public enum Tier {
    MEMORY,
    LOCAL_DISK,
    DFS,
    NOF,
    OBJECT_STORE;

    /** Memory is hot, every other tier is cold. */
    public boolean isHot() {
        return this == MEMORY;
    }
}
