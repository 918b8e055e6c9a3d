package io.weighbridge.metadata.object.domain;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.vocabulary.ObjectType;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a key's current or latest incarnation is (spec 2.1).
 *
 * @param size bytes
 * @param groupId the objects that are managed together; null: none
 * @param revisionId the revision that manages the group; null: an ordinary object
 * @param released the managing revision is DELETED, so that the key is free again
 * @param objectVersion 0 until a put has ended
 * @param digest null until then
 * @param crc32c null until then
 * @param pinnedUntil when a soft pin expires
 */
public record Content(
        long size,
        ObjectType type,
        @Nullable String groupId,
        @Nullable RevisionId revisionId,
        boolean released,
        long objectVersion,
        @Nullable String digest,
        @Nullable List<Long> crc32c,
        Pin pin,
        @Nullable Instant pinnedUntil,
        Instant createdAt,
        @Nullable Instant committedAt) {

    /** A new incarnation, not committed yet. */
    public static Content started(Wanted wanted, Instant now) {
        return new Content(
                wanted.size(),
                wanted.type(),
                wanted.groupId(),
                wanted.revisionId(),
                false,
                0,
                null,
                null,
                wanted.pin(),
                wanted.pinnedUntil(),
                now,
                null);
    }

    /** A put of it has ended once. */
    public boolean isCommitted() {
        return objectVersion > 0;
    }

    /** Its pin holds at this time. */
    public boolean isPinned(Instant now) {
        return switch (pin) {
            case NONE -> false;
            case SOFT -> pinnedUntil == null || now.isBefore(pinnedUntil);
            case HARD -> true;
        };
    }

    Content committed(long version, String newDigest, List<Long> newCrc32c, Instant at) {
        return new Content(
                size,
                type,
                groupId,
                revisionId,
                released,
                version,
                newDigest,
                newCrc32c,
                pin,
                pinnedUntil,
                createdAt,
                at);
    }

    /** No member any more: it was never committed, and the commit check counts members. */
    Content detached() {
        return new Content(
                size,
                type,
                groupId,
                null,
                released,
                objectVersion,
                digest,
                crc32c,
                pin,
                pinnedUntil,
                createdAt,
                committedAt);
    }
}
