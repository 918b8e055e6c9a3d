package io.weighbridge.metadata.idempotency;

import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;

/**
 * Names one wish of one subject, so that its repetitions can be recognized (spec 1.5).
 *
 * @param value 1 to 255 printable ASCII characters
 */
public record IdempotencyKey(String tenantId, String subject, String value) {

    private static final int LENGTH_MAX = 255;

    /** @throws ProblemException INVALID_ARGUMENT for an illegal value */
    public IdempotencyKey {
        if (value.isEmpty() || value.length() > LENGTH_MAX || value.chars().anyMatch(c -> c < 0x20 || c > 0x7E)) {
            throw new ProblemException(
                    Problem.invalid("Idempotency-Key", "must be 1 to " + LENGTH_MAX + " printable ASCII characters"));
        }
    }

    /** Where the advisory locks of keys live; a collision costs only a BUSY that a retry mends. */
    public int lock() {
        return CanonicalKeys.objectId(tenantId + '\n' + subject, value).hashCode();
    }
}
