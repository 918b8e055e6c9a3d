package io.weighbridge.ledger.http.fence;

import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A caller's own name for one intended change, so that a retry does it once (spec 1.5). The table behind it is each
 * service's own, keyed by tenant, subject and this value.
 *
 * @param value 1 to 128 visible ASCII characters
 */
public record IdempotencyKey(String value) {

    /** The header's name. */
    public static final String HEADER = "Idempotency-Key";

    private static final Pattern LEGAL = Pattern.compile("[\\x21-\\x7e]{1,128}");

    public IdempotencyKey {
        if (!LEGAL.matcher(value).matches()) {
            throw new ProblemException(Problem.invalid(HEADER, "must have 1 to 128 visible ASCII characters"));
        }
    }

    /**
     * The key of the header's values; empty when absent.
     *
     * @throws ProblemException INVALID_ARGUMENT for several or illegal ones
     */
    public static Optional<IdempotencyKey> parse(List<String> values) {
        if (values.size() > 1) {
            throw new ProblemException(Problem.invalid(HEADER, "must be given once"));
        }
        return values.stream().findFirst().map(IdempotencyKey::new);
    }
}
