package io.weighbridge.metadata.object.domain;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.ReplicaState;
import io.weighbridge.ledger.vocabulary.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Keys in every state, and commands on them. */
final class Keys {

    static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    static final Duration PREEMPT = Duration.ofSeconds(30);
    static final UUID COPY = new UUID(1, 1);
    static final UUID PUT = new UUID(2, 2);
    static final UUID NODE = new UUID(3, 3);
    static final String OWN = "the hash of the put's own token";
    static final String DEAD = "the hash of some other token";
    static final String DIGEST = "d".repeat(64);
    static final long SIZE = 100;

    private Keys() {}

    /** What the table calls a state. */
    enum State {
        FREE,
        YOUNG,
        OPENED,
        STORED,
        DAMAGED,
        OLD,
        EXPIRED,
        MOVED,
        AWAY,
        COMPLETE,
        VERIFYING,
        PINNED,
        GONE,
        LOST,
        REVOKED,
        REMOVED
    }

    static Put in(State state) {
        return switch (state) {
            case FREE -> Put.absent("default", "key", "0".repeat(64));
            case YOUNG -> pending(copy(ReplicaState.INITIALIZED, Standing.SOUND, false));
            case OPENED -> pending(copy(ReplicaState.PROCESSING, Standing.SOUND, false));
            case STORED -> pending(copy(ReplicaState.PROCESSING, Standing.SOUND, true));
            case DAMAGED -> pending(copy(ReplicaState.FAILED, Standing.SOUND, true));
            case MOVED -> pending(copy(ReplicaState.PROCESSING, Standing.MOVED, true));
            case AWAY -> pending(copy(ReplicaState.PROCESSING, Standing.AWAY, true));
            case OLD ->
                put(
                        content(0, Pin.NONE, null),
                        attempt(Attempt.State.PENDING, NOW.minus(PREEMPT), NOW.plusSeconds(60)),
                        copy(ReplicaState.PROCESSING, Standing.SOUND, true));
            case EXPIRED ->
                put(
                        content(0, Pin.NONE, null),
                        attempt(Attempt.State.PENDING, NOW.minusSeconds(1), NOW),
                        copy(ReplicaState.PROCESSING, Standing.SOUND, true));
            case COMPLETE -> ended(Pin.NONE, copy(ReplicaState.COMPLETE, Standing.SOUND, true));
            case VERIFYING -> ended(Pin.NONE, copy(ReplicaState.COMPLETE, Standing.VERIFYING, true));
            case PINNED -> ended(Pin.HARD, copy(ReplicaState.COMPLETE, Standing.SOUND, true));
            case GONE -> ended(Pin.NONE, copy(ReplicaState.COMPLETE, Standing.AWAY, true));
            case LOST -> ended(Pin.NONE, copy(ReplicaState.COMPLETE, Standing.MOVED, true));
            case REMOVED -> ended(Pin.NONE, copy(ReplicaState.REMOVED, Standing.SOUND, true));
            case REVOKED ->
                put(
                        content(0, Pin.NONE, null),
                        attempt(Attempt.State.REVOKED, NOW.minusSeconds(1), NOW.plusSeconds(60)),
                        copy(ReplicaState.REMOVED, Standing.SOUND, false));
        };
    }

    static Put pending(Copy copy) {
        return put(
                content(0, Pin.NONE, null),
                attempt(Attempt.State.PENDING, NOW.minusSeconds(1), NOW.plusSeconds(60)),
                copy);
    }

    static Put ended(Pin pin, Copy... copies) {
        return put(
                content(7, pin, null), attempt(Attempt.State.ENDED, NOW.minusSeconds(1), NOW.plusSeconds(60)), copies);
    }

    static Put put(Content content, Attempt attempt, Copy... copies) {
        return new Put("default", "key", "0".repeat(64), content, List.of(attempt), List.of(copies));
    }

    static Content content(long version, Pin pin, @Nullable RevisionId revision) {
        String group = revision == null ? null : revision.payloadGroupId();
        return new Content(
                SIZE,
                ObjectType.WEIGHT,
                group,
                revision,
                false,
                version,
                version == 0 ? null : DIGEST,
                version == 0 ? null : List.of(1L),
                pin,
                null,
                NOW.minusSeconds(100),
                version == 0 ? null : NOW.minusSeconds(50));
    }

    static Attempt attempt(Attempt.State state, Instant startedAt, Instant expiresAt) {
        return new Attempt(PUT, null, null, "local", OWN, state, startedAt, expiresAt);
    }

    static Copy copy(ReplicaState state, Standing standing, boolean whole) {
        return copy(COPY, NODE, state, standing, whole);
    }

    static Copy copy(UUID id, UUID node, ReplicaState state, Standing standing, boolean whole) {
        Stored stored = whole ? new Stored(NOW.minusSeconds(1), SIZE, DIGEST, List.of(1L)) : null;
        boolean terminal = state == ReplicaState.FAILED || state == ReplicaState.REMOVED;
        return new Copy(
                id,
                PUT,
                null,
                node,
                new UUID(4, 4),
                1,
                Tier.MEMORY,
                SIZE,
                state,
                standing,
                NOW.minusSeconds(2),
                null,
                stored,
                terminal ? NOW.minusSeconds(1) : null,
                null,
                whole);
    }

    static Room room(long node, Tier tier, long free, @Nullable String zone) {
        return new Room(
                new UUID(10, node), new UUID(11, node), "http://n", tier, 1, 1000, 1000 - free, zone, null, 3_600_000);
    }

    static PutCommand.Start start(
            ObjectType type, @Nullable RevisionId revision, @Nullable Membership membership, @Nullable String token) {
        UUID put = new UUID(2, 9);
        Attempt attempt = new Attempt(
                put,
                revision,
                null,
                "local",
                "the hash of a new token",
                Attempt.State.PENDING,
                NOW,
                NOW.plusSeconds(60));
        String group = revision == null ? null : revision.payloadGroupId();
        Wanted wanted = new Wanted(SIZE, type, group, revision, Pin.NONE, null);
        Copy copy = Copy.reserved(new UUID(1, 9), put, null, room(9, Tier.MEMORY, 500, null), SIZE, NOW);
        return new PutCommand.Start(wanted, PREEMPT, revision != null, membership, token, attempt, List.of(copy));
    }
}
