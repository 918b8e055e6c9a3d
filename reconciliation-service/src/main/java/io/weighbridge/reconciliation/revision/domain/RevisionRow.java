package io.weighbridge.reconciliation.revision.domain;

import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.Residency;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the ledger's row says about the revision.
 *
 * @param manifestKey the canonical one, known from the start
 * @param published what was committed; absent before
 * @param lastTarget HOT after a commit or a finished rehydration, COLD after a finished eviction
 * @param drainDeadline until when leases of a DELETING revision may be renewed
 */
public record RevisionRow(
        Availability availability,
        Residency residency,
        long generation,
        String manifestKey,
        @Nullable Published published,
        Wanted wanted,
        Residency lastTarget,
        @Nullable Instant drainDeadline) {

    /** What a commit has promised about the members. */
    public record Published(
            String manifestSha256, String payloadKeysSha256, long payloadCount, long logicalBytes, long commitFence) {}

    /**
     * Nothing but the commit has happened to the revision. Copies beyond the placement are the uploader's wish then and
     * stay; later they are surplus.
     */
    public boolean isAsUploaded() {
        return published != null && generation == published.commitFence() + 1;
    }
}
