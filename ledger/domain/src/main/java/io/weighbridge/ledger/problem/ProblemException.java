package io.weighbridge.ledger.problem;

/**
 * Carries a refusal through code that can only throw: parsers of input and reactive pipelines. Deciders return their
 * refusals instead. It has no stack trace, since a refusal is an answer and not a defect.
 */
public final class ProblemException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    public ProblemException(Problem problem) {
        super(problem.code() + ": " + problem.detail(), null, false, false);
        this.problem = problem;
    }

    public ProblemException(ProblemCode code, String detail) {
        this(Problem.of(code, detail));
    }

    public Problem problem() {
        return problem;
    }
}
