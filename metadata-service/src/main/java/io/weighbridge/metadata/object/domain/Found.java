package io.weighbridge.metadata.object.domain;

import io.weighbridge.ledger.vocabulary.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A committed object and where it is readable.
 *
 * @param hasCopies copies are committed, though perhaps none is readable now
 * @param copies readable ones
 */
public record Found(long objectVersion, long size, String digest, boolean hasCopies, List<At> copies) {

    /** One readable copy. */
    public record At(UUID replicaId, UUID nodeId, String url, UUID segmentId, Tier tier) {}

    public Found {
        copies = List.copyOf(copies);
    }

    /** The same object with another's copies too. */
    public static Found plus(Found one, Found other) {
        List<At> all = new ArrayList<>(one.copies());
        all.addAll(other.copies());
        return new Found(one.objectVersion(), one.size(), one.digest(), one.hasCopies(), all);
    }
}
