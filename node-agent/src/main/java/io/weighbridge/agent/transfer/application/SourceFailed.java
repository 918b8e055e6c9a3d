package io.weighbridge.agent.transfer.application;

import io.weighbridge.ledger.problem.ProblemCode;

/** One source cannot serve; another may. */
final class SourceFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ProblemCode code;

    SourceFailed(ProblemCode code, String detail, Throwable cause) {
        super(detail, cause, false, false);
        this.code = code;
    }

    ProblemCode code() {
        return code;
    }
}
