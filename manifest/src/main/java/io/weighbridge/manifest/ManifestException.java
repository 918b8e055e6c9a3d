package io.weighbridge.manifest;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Bytes that were to be believed are refused: a manifest, a checkpoint, or tensors to be packed. Carries everything
 * that was found, at least one problem; the message lists them, one a line. It has no stack trace, since it is an
 * answer.
 */
public final class ManifestException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<ManifestProblem> problems;

    public ManifestException(List<ManifestProblem> problems) {
        super(problems.stream().map(ManifestProblem::toString).collect(Collectors.joining("\n")), null, false, false);
        this.problems = List.copyOf(problems);
    }

    public ManifestException(String name, String message) {
        this(List.of(new ManifestProblem(name, message)));
    }

    public List<ManifestProblem> problems() {
        return problems;
    }
}
