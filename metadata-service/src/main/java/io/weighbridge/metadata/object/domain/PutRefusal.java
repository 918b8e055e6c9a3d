package io.weighbridge.metadata.object.domain;

import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;

/** Why a command on an object is refused, in order of precedence (spec 1.7, 2.2). */
public enum PutRefusal {
    /** Only a revision's row makes a {@code weight:} group. */
    GROUP_UNKNOWN(ProblemCode.INVALID_ARGUMENT, "group_id: no revision of this tenant has this payload group"),
    /** The manifest alone is METADATA and lies under its canonical key; every other member is WEIGHT. */
    MEMBER_MISFILED(
            ProblemCode.INVALID_ARGUMENT,
            "type: a member is of type WEIGHT, the manifest of type METADATA under the canonical manifest key"),
    /** The agent's report does not have one CRC32C for each chunk. */
    CHUNKS_MISCOUNTED(ProblemCode.INVALID_ARGUMENT, "crc32c: must have one value for each 4 MiB chunk"),
    /** The import was taken over, or the request carries no import token. */
    IMPORT_TOKEN_DEAD(ProblemCode.STALE_TOKEN, "the import token is missing or not the current one"),
    /** Members are written only while the revision is IMPORTING. */
    NOT_IMPORTING(ProblemCode.CONFLICT, "the revision takes no member writes any more"),
    /** The token is of no live put of this key: ended by another, revoked, expired or pre-empted. */
    TOKEN_DEAD(ProblemCode.STALE_TOKEN, "the write token is not of a live put of this key"),
    /** The operation that planned this copy is not the active one any more. */
    OPERATION_OVER(ProblemCode.STALE_TOKEN, "the operation that planned this copy is over"),
    /** The segment lost its bytes after the put had started. */
    EPOCH_MOVED(ProblemCode.STALE_TOKEN, "a target's segment has a new epoch; its bytes are lost"),
    /** No such object, or nothing of it is committed. */
    ABSENT(ProblemCode.NOT_FOUND, "no such object"),
    /** The object changes with its revision only. */
    MEMBER_OF_REVISION(ProblemCode.MANAGED_GROUP, "the object is a member of a managed payload group"),
    /** A committed object is never overwritten. */
    COMPLETE_ALREADY(ProblemCode.ALREADY_EXISTS, "the object is complete already"),
    /** Another put of this key is younger than the pre-emption age. */
    PUT_IN_PROGRESS(ProblemCode.ALREADY_EXISTS, "another put of this key is in progress"),
    /** Only force removes a pinned object. */
    PINNED(ProblemCode.CONFLICT, "the object is pinned"),
    /** A reader holds a revision lease. */
    LEASED(ProblemCode.BUSY, "a live lease needs this copy"),
    /** Only a delete takes the last readable copy. */
    LAST_READABLE(ProblemCode.CONFLICT, "this is the last readable copy"),
    /** The manifest comes last, when a revision is written and when it is deleted. */
    PAYLOADS_FIRST(ProblemCode.NOT_READY, "the manifest comes after all payload members"),
    /** Nothing to copy from. */
    NOT_READABLE(ProblemCode.NOT_READY, "the object has no readable copy"),
    /** A target's node is dead or its segment is not mounted. */
    TARGET_AWAY(ProblemCode.NOT_READY, "a target's node or segment is away"),
    /** The agent reported damage. */
    COPY_DAMAGED(ProblemCode.CHECKSUM_MISMATCH, "a target's bytes are damaged; revoke the put and start again"),
    /** An agent has not reported that all bytes are there. */
    NOT_STORED(ProblemCode.NOT_READY, "a target has not reported all bytes yet"),
    /** What arrived is not what was promised. */
    CONTENT_DIFFERS(ProblemCode.CHECKSUM_MISMATCH, "the size or the digest differs from what was stored"),
    /** Eviction was tried; nothing has room now. */
    NO_ROOM(ProblemCode.NO_SPACE, "no segment has room");

    private final ProblemCode code;
    private final String detail;

    PutRefusal(ProblemCode code, String detail) {
        this.code = code;
        this.detail = detail;
    }

    /** The stable code (spec 5.1). */
    public ProblemCode code() {
        return code;
    }

    /** What a caller is told. */
    public Problem problem() {
        return Problem.of(code, detail);
    }
}
