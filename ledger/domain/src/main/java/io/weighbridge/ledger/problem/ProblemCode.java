package io.weighbridge.ledger.problem;

import static io.weighbridge.ledger.problem.Retry.AFTER_REFRESH;
import static io.weighbridge.ledger.problem.Retry.LATER;
import static io.weighbridge.ledger.problem.Retry.NEVER;

/** The closed list of refusals (spec 5.1). Names are part of the REST contract and are never reused. */
public enum ProblemCode {
    /** An argument is malformed, out of range, unknown or not canonical. */
    INVALID_ARGUMENT(NEVER),
    /** No valid credential came with the request. */
    UNAUTHENTICATED(NEVER),
    /** The credential or capability does not allow this. */
    PERMISSION_DENIED(NEVER),
    /** No such thing for this tenant. */
    NOT_FOUND(NEVER),
    /** The thing is in a state, or has a content, that contradicts the command. */
    CONFLICT(AFTER_REFRESH),
    /** The object is complete already, or another put of it is in progress. */
    ALREADY_EXISTS(AFTER_REFRESH),
    /** A precondition that can still come true does not hold yet, or the state does not allow the command. */
    NOT_READY(AFTER_REFRESH),
    /** New weights were loaded but not committed. */
    NOT_COMMITTED(AFTER_REFRESH),
    /** The object belongs to a managed payload group and changes with its revision only. */
    MANAGED_GROUP(NEVER),
    /** A newer holder has taken over: this token or claim is dead. */
    STALE_TOKEN(NEVER),
    /** A newer start of this agent or engine has registered. */
    STALE_INCARNATION(NEVER),
    /** A failed load left weights unusable; restart is the only way out. */
    POISONED(NEVER),
    /** A counter has reached 2^53 - 1. */
    GENERATION_EXHAUSTED(NEVER),
    /** The lease's expiry has come; bytes read after it must not be used. */
    LEASE_EXPIRED(AFTER_REFRESH),
    /** The feed cursor is of another ledger epoch or truncated: list again. */
    FEED_RESET(AFTER_REFRESH),
    /** The fence is not the current metadata generation. */
    STALE_GENERATION(AFTER_REFRESH),
    /** The body is larger than this endpoint takes. */
    PAYLOAD_TOO_LARGE(NEVER),
    /** The resource does not have this method. */
    METHOD_NOT_ALLOWED(NEVER),
    /** No acceptable representation. */
    NOT_ACCEPTABLE(NEVER),
    /** The body's media type is not understood. */
    UNSUPPORTED_MEDIA_TYPE(NEVER),
    /** The byte range lies outside the object. */
    RANGE_NOT_SATISFIABLE(NEVER),
    /** Names are missing, duplicate, unexpected or unconsumed. */
    COVERAGE_FAILED(NEVER),
    /** Bytes, size or digest are not what was promised. */
    CHECKSUM_MISMATCH(NEVER),
    /** This driver, policy or contract is not supported here. */
    UNSUPPORTED(NEVER),
    /** Somebody else is at work or reads; always worth a retry. */
    BUSY(LATER),
    /** The request needs an If-Match header. */
    PRECONDITION_REQUIRED(NEVER),
    /** Too many requests. */
    RATE_LIMITED(LATER),
    /** A defect of this software. */
    INTERNAL(LATER),
    /** The outcome of the write is unknown: read before retrying. */
    DURABILITY_FAILED(AFTER_REFRESH),
    /** A needed service or the ledger cannot be reached now. */
    UNAVAILABLE(LATER),
    /** The time limit passed. */
    DEADLINE_EXCEEDED(LATER),
    /** No segment has room. */
    NO_SPACE(LATER),
    /** The tenant's quota is used up. */
    QUOTA_EXCEEDED(LATER),
    /** Host or device memory does not suffice. */
    INSUFFICIENT_MEMORY(LATER),
    /** Releasing memory did not give it back. */
    RELEASE_INEFFECTIVE(LATER);

    private final Retry retry;

    ProblemCode(Retry retry) {
        this.retry = retry;
    }

    /** What a caller may do about it. */
    public Retry retry() {
        return retry;
    }
}
