package io.weighbridge.metadata.revision.domain;

import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of a revision's member objects in one statement (spec 1.5, 1.8). A copy counts when it is readable
 * (spec 2.1); copies on nodes outside the placement do not count towards it.
 *
 * @param count all members, the manifest included
 * @param readable members with a readable copy
 * @param payloadsNotWeight members other than the manifest whose type is not WEIGHT
 * @param payloadBytes sum of the sizes of all members but the manifest
 * @param payloadKeysSha256 digest of the sorted keys of all members but the manifest
 * @param manifestType type of the member with the manifest's key; null when there is none
 * @param manifestSha256 digest of the stored manifest; null until it is stored
 * @param hot members with a readable copy in memory
 * @param cold members with a readable copy on a cold tier and none in memory
 * @param placed members with as many copies as the placement wants
 * @param surplus members with more copies than the placement wants, or with copies outside it
 * @param unremoved copies in any state but FAILED and REMOVED
 */
public record Members(
        long count,
        long readable,
        long payloadsNotWeight,
        long payloadBytes,
        String payloadKeysSha256,
        @Nullable ObjectType manifestType,
        @Nullable String manifestSha256,
        Progress hot,
        Progress cold,
        Progress placed,
        long surplus,
        long unremoved) {

    /**
     * Members that satisfy one aim.
     *
     * @param lastKey the last of them in the order of keys; null when there is none
     */
    public record Progress(long count, @Nullable String lastKey) {
        static final Progress NONE = new Progress(0, null);
    }

    /** Digest of no keys at all. */
    static final String NO_KEYS_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    /** No members, which is also what commands get that do not look at members. */
    public static final Members NONE =
            new Members(0, 0, 0, 0, NO_KEYS_SHA256, null, null, Progress.NONE, Progress.NONE, Progress.NONE, 0, 0);

    /** Only how many copies are left, for the end of a delete. */
    public static Members left(long unremoved) {
        return new Members(
                0, 0, 0, 0, NO_KEYS_SHA256, null, null, Progress.NONE, Progress.NONE, Progress.NONE, 0, unremoved);
    }

    /** Exact count, all readable, the manifest found, bytes and digests equal (spec 1.8). */
    boolean areComplete(ManifestReference manifest) {
        return CommitCheck.check(manifest, this).isEmpty();
    }

    /**
     * ABSENT if nothing is readable, HOT if every member is in memory, COLD if every member is cold and none in memory,
     * else MIXED (spec 1.8).
     *
     * @param total how many members there must be
     */
    Residency residency(long total) {
        if (readable == 0) {
            return Residency.ABSENT;
        }
        if (hot.count() == total) {
            return Residency.HOT;
        }
        return cold.count() == total ? Residency.COLD : Residency.MIXED;
    }

    /** How far an operation of this kind has come. */
    Progress towards(OperationKind kind) {
        return switch (kind) {
            case EVICTING -> cold;
            case REHYDRATING -> hot;
            case REPAIRING -> placed;
            case NONE -> Progress.NONE;
        };
    }
}
