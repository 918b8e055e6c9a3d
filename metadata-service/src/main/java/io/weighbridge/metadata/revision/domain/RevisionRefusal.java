package io.weighbridge.metadata.revision.domain;

import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;

/**
 * Every reason for which the revision machine refuses a command, in order of precedence: where two apply, the first one
 * is answered (spec 1.5). Texts and counters out of range never get here; their records refuse to exist.
 */
public enum RevisionRefusal {
    /** The key that would follow from the identity is longer than an object key may be. */
    MANIFEST_KEY_TOO_LONG(ProblemCode.INVALID_ARGUMENT, "the derived manifest key is longer than 1024 bytes"),
    /** The group id is not the one that follows from the identity. */
    GROUP_NOT_CANONICAL(ProblemCode.INVALID_ARGUMENT, "payload_group_id: is not the canonical one of this revision"),
    /** A residency other than HOT and COLD cannot be asked for. */
    TARGET_UNSUPPORTED(ProblemCode.INVALID_ARGUMENT, "target: must be HOT or COLD"),
    /** The drain time is out of range. */
    DRAIN_OUT_OF_RANGE(ProblemCode.INVALID_ARGUMENT, "drain_ms: must be 0 to 86400000"),
    /** No such revision for this tenant. */
    REVISION_UNKNOWN(ProblemCode.NOT_FOUND, "there is no such revision"),
    /** Another writer has taken the import over. */
    IMPORT_TOKEN_STALE(ProblemCode.STALE_TOKEN, "the import token is not the current one"),
    /** Only who began an import, or an administrator, takes it over. */
    NOT_THE_IMPORTER(ProblemCode.PERMISSION_DENIED, "the import was begun by another subject"),
    /** The identity is in use with another content, or burnt. */
    IDENTITY_TAKEN(ProblemCode.CONFLICT, "the identity is taken; publish under a higher weight_generation"),
    /** The revision is published with another manifest. */
    PUBLISHED_DIFFERENTLY(ProblemCode.CONFLICT, "the revision is published with another manifest"),
    /** The operation is over, or another one is active. */
    OPERATION_NOT_ACTIVE(ProblemCode.CONFLICT, "this is not the revision's active operation"),
    /** A newer claim has worked on the operation. */
    CLAIM_STALE(ProblemCode.STALE_TOKEN, "a newer claim works on this operation"),
    /** An operation with the same aim is active, but the fence is neither its generation nor the one before. */
    GENERATION_STALE(ProblemCode.STALE_GENERATION, "the expected generation is not the current one"),
    /** Another operation is active. */
    OPERATION_ACTIVE(ProblemCode.BUSY, "an operation is active"),
    /** Only an import in progress can be continued. */
    NOT_IMPORTING(ProblemCode.CONFLICT, "the revision is not importing"),
    /** An import in progress is aborted, not deleted. */
    STILL_IMPORTING(ProblemCode.NOT_READY, "the revision is importing; abort it instead"),
    /** The import is still alive. */
    IMPORT_ALIVE(ProblemCode.NOT_READY, "the import has had a heartbeat since"),
    /** The revision is neither READY nor DEGRADED. */
    NOT_PUBLISHED(ProblemCode.NOT_READY, "the revision is neither READY nor DEGRADED"),
    /** The revision is not being deleted. */
    NOT_DELETING(ProblemCode.CONFLICT, "the revision is not being deleted"),
    /** Readers hold leases. */
    LEASED(ProblemCode.BUSY, "readers hold leases on this revision"),
    /** The manifest's key is not the one that follows from the identity. */
    MANIFEST_KEY_NOT_CANONICAL(ProblemCode.CONFLICT, "manifest_key: is not the canonical one of this revision"),
    /** The commit does not keep to what the begin announced. */
    SUMMARY_DIFFERS(ProblemCode.CONFLICT, "payload count or logical bytes differ from the import's begin"),
    /** Nothing was uploaded. */
    MEMBERS_ABSENT(ProblemCode.NOT_FOUND, "the payload group has no members"),
    /** There are more or fewer members than the reference says. */
    MEMBER_COUNT_DIFFERS(ProblemCode.CONFLICT, "the payload group has another number of members"),
    /** There are more or fewer members than the published reference says. */
    MEMBERS_INCOMPLETE(ProblemCode.NOT_READY, "the payload group has another number of members than was published"),
    /** A member has no readable copy. */
    MEMBERS_UNREADABLE(ProblemCode.NOT_READY, "a member cannot be read"),
    /** No member has the manifest's key. */
    MANIFEST_ABSENT(ProblemCode.NOT_FOUND, "no member has the manifest's key"),
    /** The member with the manifest's key is no METADATA object. */
    MANIFEST_TYPE_DIFFERS(ProblemCode.CONFLICT, "the manifest object is not of type METADATA"),
    /** A payload is no WEIGHT object. */
    PAYLOAD_TYPE_DIFFERS(ProblemCode.CONFLICT, "a payload object is not of type WEIGHT"),
    /** The payloads' sizes do not add up. */
    LOGICAL_BYTES_DIFFER(ProblemCode.CONFLICT, "the payload objects have another number of bytes"),
    /** The payloads have other keys. */
    PAYLOAD_KEYS_DIFFER(ProblemCode.CONFLICT, "payload_keys_sha256: is not the digest of the members' keys"),
    /** The stored manifest has other bytes. */
    MANIFEST_DIGEST_DIFFERS(ProblemCode.CONFLICT, "manifest_sha256: is not the digest of the stored manifest"),
    /** The members are not yet where the operation wants them. */
    TARGET_NOT_REACHED(ProblemCode.NOT_READY, "the members are not yet where the operation wants them"),
    /** Copies are still there, or leases live. */
    STILL_PRESENT(ProblemCode.NOT_READY, "copies of members still exist, or leases still live"),
    /** The generation cannot advance any more. */
    GENERATION_EXHAUSTED(ProblemCode.GENERATION_EXHAUSTED, "the metadata generation cannot advance any more");

    private final ProblemCode code;
    private final String sentence;

    RevisionRefusal(ProblemCode code, String sentence) {
        this.code = code;
        this.sentence = sentence;
    }

    public ProblemCode code() {
        return code;
    }

    Problem problem() {
        return problem(sentence);
    }

    Problem problem(String detail) {
        return Problem.of(code, detail);
    }

    static Problem stale(Fence expected, long current) {
        return Problem.staleGeneration(expected, current);
    }
}
