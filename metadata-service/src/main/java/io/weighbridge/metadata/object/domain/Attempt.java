package io.weighbridge.metadata.object.domain;

import io.weighbridge.ledger.identity.RevisionId;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One put: the right to write one key once (spec 2.2).
 *
 * @param revisionId of the managed group that the object belongs to
 * @param operationId the operation for which it adds copies; null when it writes the object
 * @param tokenHash of the write token, which alone may end it
 */
public record Attempt(
        UUID putId,
        @Nullable RevisionId revisionId,
        @Nullable UUID operationId,
        String subject,
        String tokenHash,
        State state,
        Instant startedAt,
        Instant expiresAt) {

    /** How far a put has come. */
    public enum State {
        PENDING,
        ENDED,
        /** Given up, expired, pre-empted or taken over: its token is dead. */
        REVOKED
    }

    /** Its writer may still end it. */
    public boolean isPending() {
        return state == State.PENDING;
    }

    /** The instant counts as expired. */
    boolean hasExpired(Instant now) {
        return !now.isBefore(expiresAt);
    }

    Attempt with(State next) {
        return new Attempt(putId, revisionId, operationId, subject, tokenHash, next, startedAt, expiresAt);
    }
}
