package io.weighbridge.metadata.revision.domain;

import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.vocabulary.ObjectType;
import java.util.Optional;

/** The physical commit check (spec 1.5): the members as they are against the manifest reference as it is claimed. */
final class CommitCheck {

    private CommitCheck() {}

    /** The first contradiction in the order of spec 1.5; empty when the group is what the reference says. */
    static Optional<Problem> check(ManifestReference claimed, Members seen) {
        long total = claimed.payloadCount() + 1;
        if (seen.count() == 0) {
            return Optional.of(RevisionRefusal.MEMBERS_ABSENT.problem());
        }
        if (seen.count() != total) {
            return Optional.of(RevisionRefusal.MEMBER_COUNT_DIFFERS.problem(
                    "the group has " + seen.count() + " members, not " + total));
        }
        if (seen.readable() != total) {
            return Optional.of(RevisionRefusal.MEMBERS_UNREADABLE.problem(
                    (total - seen.readable()) + " of " + total + " members cannot be read"));
        }
        if (seen.manifestType() == null) {
            return Optional.of(RevisionRefusal.MANIFEST_ABSENT.problem());
        }
        if (seen.manifestType() != ObjectType.METADATA) {
            return Optional.of(RevisionRefusal.MANIFEST_TYPE_DIFFERS.problem(
                    "the manifest object has the type " + seen.manifestType() + ", not METADATA"));
        }
        return checkPayloads(claimed, seen);
    }

    private static Optional<Problem> checkPayloads(ManifestReference claimed, Members seen) {
        if (seen.payloadsNotWeight() > 0) {
            return Optional.of(RevisionRefusal.PAYLOAD_TYPE_DIFFERS.problem(
                    seen.payloadsNotWeight() + " payload objects have another type than WEIGHT"));
        }
        if (seen.payloadBytes() != claimed.logicalBytes()) {
            return Optional.of(RevisionRefusal.LOGICAL_BYTES_DIFFER.problem(
                    "the payload objects have " + seen.payloadBytes() + " bytes, not " + claimed.logicalBytes()));
        }
        if (!seen.payloadKeysSha256().equals(claimed.payloadKeysSha256())) {
            return Optional.of(RevisionRefusal.PAYLOAD_KEYS_DIFFER.problem());
        }
        if (!claimed.manifestSha256().equals(seen.manifestSha256())) {
            return Optional.of(RevisionRefusal.MANIFEST_DIGEST_DIFFERS.problem());
        }
        return Optional.empty();
    }
}
