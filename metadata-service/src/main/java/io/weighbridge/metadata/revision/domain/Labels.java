package io.weighbridge.metadata.revision.domain;

import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.key.Utf8;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import java.util.Map;

/** Which labels are legal, on revisions and as demands on nodes (spec 1.2). */
public final class Labels {

    /** The most labels of one thing. */
    public static final int MOST = 32;

    /** The longest key, in UTF-8 bytes. */
    public static final int KEY_BYTES_MAX = 256;

    private Labels() {}

    /**
     * At most 32; keys of 1 to 256 and values of 0 to 1024 UTF-8 bytes, without control characters.
     *
     * @return an unmodifiable copy
     * @throws ProblemException INVALID_ARGUMENT that names the field
     */
    public static Map<String, String> checked(String field, Map<String, String> labels) {
        if (labels.size() > MOST) {
            throw new ProblemException(Problem.invalid(field, "at most " + MOST + ", not " + labels.size()));
        }
        labels.forEach((key, value) -> {
            Validation.text(field, key);
            if (Utf8.bytes(key).length > KEY_BYTES_MAX) {
                throw new ProblemException(
                        Problem.invalid(field, "a key must have 1 to " + KEY_BYTES_MAX + " UTF-8 bytes"));
            }
            if (value == null || !value.isEmpty()) {
                Validation.text(field + "." + key, value);
            }
        });
        return Map.copyOf(labels);
    }
}
