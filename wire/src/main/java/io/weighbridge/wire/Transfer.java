package io.weighbridge.wire;

import io.weighbridge.ledger.problem.ProblemCode;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A pull by an agent from a peer (spec 4.2).
 *
 * @param bytesDone verified bytes
 * @param bytesTotal the object's size
 * @param code why it failed; only when FAILED
 */
public record Transfer(
        UUID transferId,
        UUID replicaId,
        Transfer.State state,
        String transport,
        long bytesDone,
        long bytesTotal,
        Instant startedAt,
        @Nullable Instant endedAt,
        @Nullable ProblemCode code,
        @Nullable String detail) {

    /** The life of a transfer. The last three are terminal. */
    public enum State {
        QUEUED,
        RUNNING,
        VERIFYING,
        DONE,
        FAILED,
        CANCELLED
    }
}
