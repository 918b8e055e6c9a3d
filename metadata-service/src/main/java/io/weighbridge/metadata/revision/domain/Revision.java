package io.weighbridge.metadata.revision.domain;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.Residency;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What can be: one immutable weight revision, or none yet (spec 1.2). */
public sealed interface Revision {

    /** Nothing has this identity. */
    record NoRevision() implements Revision {}

    /**
     * A revision that was begun, in any state up to its tombstone.
     *
     * @param summary what its import announced
     * @param session who imports it
     * @param publication what its commit published; null before the commit
     * @param lastTarget HOT after a commit or a finished rehydration, COLD after a finished eviction
     * @param operation the active one, or null
     * @param generation the metadata generation, 1 to 2^53 - 1
     * @param drainDeadline until when leases may be renewed; null unless DELETING or DELETED
     * @param updatedAt when the generation last advanced, not before {@code createdAt}
     */
    record Registered(
            RevisionIdentity identity,
            ImportSummary summary,
            ImportSession session,
            @Nullable Publication publication,
            Availability availability,
            Residency residency,
            Residency lastTarget,
            @Nullable Operation operation,
            long generation,
            Map<String, String> labels,
            Placement placement,
            @Nullable Instant drainDeadline,
            Instant createdAt,
            Instant updatedAt)
            implements Revision {

        public Registered {
            labels = Map.copyOf(labels);
            Validation.counter("metadata_generation", generation);
            require(operation == null || isPublished(availability), "an operation on an unpublished revision");
            require(operation == null || operation.active(), "an operation that is over");
            require(availability != Availability.IMPORTING || residency == Residency.UNKNOWN, "a residency too early");
            require(
                    !isPublished(availability) || (publication != null && residency != Residency.UNKNOWN),
                    "published without a manifest or residency");
            require(availability != Availability.READY || residency != Residency.ABSENT, "ready but absent");
            require(availability != Availability.DELETED || residency == Residency.ABSENT, "deleted but present");
            require(lastTarget == Residency.HOT || lastTarget == Residency.COLD, "no such target");
            require(!updatedAt.isBefore(createdAt), "updated before it was created");
        }

        public RevisionId id() {
            return identity.id();
        }

        /** READY or DEGRADED: committed and not being deleted. */
        boolean isPublished() {
            return isPublished(availability);
        }

        /** How many objects the group has when it is whole: the payloads and the manifest. */
        public long totalMembers() {
            return (publication == null
                            ? summary.payloadCount()
                            : publication.manifest().payloadCount())
                    + 1;
        }

        /** The clock, or this row's own last time where the clock has stepped back (spec 1.2). */
        Instant notBefore(Instant now) {
            return now.isBefore(updatedAt) ? updatedAt : now;
        }

        private static boolean isPublished(Availability availability) {
            return availability == Availability.READY || availability == Availability.DEGRADED;
        }

        private static void require(boolean holds, String otherwise) {
            if (!holds) {
                throw new IllegalStateException("impossible revision: " + otherwise);
            }
        }
    }

    /**
     * Who imports.
     *
     * @param tokenHash hash of the import token that every member put carries
     * @param subject who began it
     * @param beatAt the last heartbeat; null once the import is over and its row gone
     */
    record ImportSession(
            String tokenHash, String subject, @Nullable Instant beatAt) {}

    /**
     * What a commit published.
     *
     * @param commitFence the generation that the commit expected
     */
    record Publication(ManifestReference manifest, long commitFence, Instant committedAt) {}

    /** The state after these events. */
    static Revision after(Revision state, List<RevisionEvent> events) {
        Revision next = state;
        for (RevisionEvent event : events) {
            next = RevisionHistory.apply(next, event);
        }
        return next;
    }
}
