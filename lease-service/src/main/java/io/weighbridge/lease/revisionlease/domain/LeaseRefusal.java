package io.weighbridge.lease.revisionlease.domain;

import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;

/**
 * What can be refused, in order of precedence. Before all of them come malformed arguments, which no command can hold.
 */
public enum LeaseRefusal {
    /** Acquire: no such revision for this tenant. */
    REVISION_NOT_FOUND(ProblemCode.NOT_FOUND, "no such revision"),
    /** Acquire: the fence is not the current generation. */
    FENCE_STALE(ProblemCode.STALE_GENERATION, "the expected generation is not the current one"),
    /** Acquire: the revision is not READY. */
    REVISION_NOT_READY(ProblemCode.NOT_READY, "the revision is not READY"),
    /** Acquire: the revision's memory copies are being given up. */
    REVISION_EVICTING(ProblemCode.BUSY, "the revision is being evicted"),
    /** Acquire: another subject has a live lease under this holder's name. */
    HOLDER_TAKEN(ProblemCode.CONFLICT, "another subject has a live lease under this holder's name"),
    /** Acquire: this lease has had all the tokens that can be counted. */
    VERSION_EXHAUSTED(ProblemCode.GENERATION_EXHAUSTED, "the lease cannot have another token"),
    /** Renew, return: no such lease for this tenant. */
    LEASE_NOT_FOUND(ProblemCode.NOT_FOUND, "no such lease"),
    /** Renew, return: the token is not this lease's. */
    TOKEN_WRONG(ProblemCode.PERMISSION_DENIED, "the lease token is not this lease's"),
    /** Renew: the instant of expiry has come. */
    LEASE_EXPIRED(ProblemCode.LEASE_EXPIRED, "the lease has expired"),
    /** Renew: the revision is deleted, or its leases should have drained by now. */
    REVISION_DRAINED(ProblemCode.NOT_READY, "the revision is deleted or past its drain deadline");

    private final ProblemCode code;
    private final String detail;

    LeaseRefusal(ProblemCode code, String detail) {
        this.code = code;
        this.detail = detail;
    }

    /** The code on the wire. */
    public ProblemCode code() {
        return code;
    }

    Problem problem() {
        return Problem.of(code, detail);
    }
}
