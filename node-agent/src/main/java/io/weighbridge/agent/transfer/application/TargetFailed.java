package io.weighbridge.agent.transfer.application;

import io.weighbridge.ledger.problem.Problem;

/** The copy cannot be made here, whatever the source. */
final class TargetFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    TargetFailed(Problem problem) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
    }

    Problem problem() {
        return problem;
    }
}
