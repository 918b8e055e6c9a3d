package io.weighbridge.metadata.object.domain;

import io.weighbridge.ledger.vocabulary.ReplicaState;
import io.weighbridge.ledger.vocabulary.Tier;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One replica of an object (spec 2.1).
 *
 * @param putId the put that made it
 * @param operationId the operation that it was added for; null when a client wrote it
 * @param size bytes reserved on the segment
 * @param standing what its segment and node mean for it now
 * @param openedAt when the agent reported the first byte
 * @param stored what the agent reported when all bytes were there
 * @param retiredAt when it became FAILED or REMOVED
 * @param reclaimAfter from when the agent may free the bytes; null: not decided yet
 * @param tokenClosed no byte can arrive any more
 */
public record Copy(
        UUID replicaId,
        UUID putId,
        @Nullable UUID operationId,
        UUID nodeId,
        UUID segmentId,
        long segmentEpoch,
        Tier tier,
        long size,
        ReplicaState state,
        Standing standing,
        Instant createdAt,
        @Nullable Instant openedAt,
        @Nullable Stored stored,
        @Nullable Instant retiredAt,
        @Nullable Instant reclaimAfter,
        boolean tokenClosed) {

    /** Space reserved for a new copy. */
    public static Copy reserved(
            UUID replicaId, UUID putId, @Nullable UUID operationId, Room room, long size, Instant now) {
        return new Copy(
                replicaId,
                putId,
                operationId,
                room.nodeId(),
                room.segmentId(),
                room.segmentEpoch(),
                room.tier(),
                size,
                ReplicaState.INITIALIZED,
                Standing.SOUND,
                now,
                null,
                null,
                null,
                null,
                false);
    }

    /** The same copy where its segment stands differently now. */
    public Copy at(Standing now) {
        return new Copy(
                replicaId,
                putId,
                operationId,
                nodeId,
                segmentId,
                segmentEpoch,
                tier,
                size,
                state,
                now,
                createdAt,
                openedAt,
                stored,
                retiredAt,
                reclaimAfter,
                tokenClosed);
    }

    /** Committed and on a sound segment. */
    public boolean isReadable() {
        return state == ReplicaState.COMPLETE && standing == Standing.SOUND;
    }

    /** Its bytes are still arriving. */
    public boolean isOpen() {
        return switch (state) {
            case INITIALIZED, PROCESSING -> true;
            case COMPLETE, FAILED, REMOVED -> false;
        };
    }

    /** FAILED or REMOVED; its bytes may still lie on the segment. */
    public boolean isTerminal() {
        return switch (state) {
            case FAILED, REMOVED -> true;
            case INITIALIZED, PROCESSING, COMPLETE -> false;
        };
    }

    /** Committed, and its bytes are there or may come back soon. */
    boolean counts() {
        return state == ReplicaState.COMPLETE
                && switch (standing) {
                    case SOUND, VERIFYING -> true;
                    case AWAY, MOVED -> false;
                };
    }

    Copy opened(Instant at) {
        return with(ReplicaState.PROCESSING, at, stored, retiredAt, reclaimAfter, tokenClosed);
    }

    /** No byte arrives after the last one. */
    Copy stored(Stored report) {
        Instant opened = openedAt == null ? report.at() : openedAt;
        return with(ReplicaState.PROCESSING, opened, report, retiredAt, reclaimAfter, true);
    }

    Copy committed() {
        return with(ReplicaState.COMPLETE, openedAt, stored, null, null, true);
    }

    Copy failed(Instant at) {
        return ended(ReplicaState.FAILED, at);
    }

    Copy removed(Instant at) {
        return ended(ReplicaState.REMOVED, at);
    }

    Copy closed(Instant at) {
        return with(state, openedAt, stored, retiredAt, isTerminal() ? at : reclaimAfter, true);
    }

    /**
     * A copy that was readable keeps its bytes until no read lease can live any more, from a time that a later
     * transaction takes (spec 2.3). One that never was is free as soon as its token is closed.
     */
    private Copy ended(ReplicaState end, Instant at) {
        boolean reclaimable = isOpen() && tokenClosed;
        return with(end, openedAt, stored, at, reclaimable ? at : reclaimAfter, tokenClosed);
    }

    private Copy with(
            ReplicaState newState,
            @Nullable Instant newOpenedAt,
            @Nullable Stored newStored,
            @Nullable Instant newRetiredAt,
            @Nullable Instant newReclaimAfter,
            boolean newTokenClosed) {
        return new Copy(
                replicaId,
                putId,
                operationId,
                nodeId,
                segmentId,
                segmentEpoch,
                tier,
                size,
                newState,
                standing,
                createdAt,
                newOpenedAt,
                newStored,
                newRetiredAt,
                newReclaimAfter,
                newTokenClosed);
    }
}
