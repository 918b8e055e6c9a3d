package io.weighbridge.ledger.identity;

import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.problem.ProblemException;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A revision's opaque id: the 64 hexadecimal digits of its payload group id (spec 1.3).
 *
 * @param hex 64 lower-case hexadecimal digits
 */
public record RevisionId(String hex) implements Comparable<RevisionId> {

    public RevisionId {
        Validation.sha256("revision_id", hex);
    }

    public static RevisionId of(RevisionIdentity identity) {
        return new RevisionId(CanonicalKeys.payloadGroupId(identity).substring(CanonicalKeys.GROUP_PREFIX.length()));
    }

    /** The id of the revision that manages this group, or empty when the group is an ordinary one. */
    public static Optional<RevisionId> ofGroup(@Nullable String groupId) {
        if (groupId == null || !groupId.startsWith(CanonicalKeys.GROUP_PREFIX)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new RevisionId(groupId.substring(CanonicalKeys.GROUP_PREFIX.length())));
        } catch (ProblemException notCanonical) {
            return Optional.empty();
        }
    }

    public String payloadGroupId() {
        return CanonicalKeys.GROUP_PREFIX + hex;
    }

    /** The advisory lock key: the first 64 bits (spec 1.6). A collision costs only waiting. */
    public long guardKey() {
        return HexFormat.fromHexDigitsToLong(hex, 0, 16);
    }

    @Override
    public int compareTo(RevisionId other) {
        return hex.compareTo(other.hex);
    }

    @Override
    public String toString() {
        return hex;
    }
}
