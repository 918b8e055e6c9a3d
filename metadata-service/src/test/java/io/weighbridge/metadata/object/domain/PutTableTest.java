package io.weighbridge.metadata.object.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.ReplicaState;
import io.weighbridge.testkit.MachineTable;
import io.weighbridge.testkit.MachineTable.Dimension;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What each command does to a key in each state; the table was written from spec 2.1 and 2.2. */
class PutTableTest {

    private static final MachineTable TABLE = MachineTable.of("put", "Puts of one key", "spec 2.1 and 2.2", """
            | state                                            | command                          | token | outcome           |
            | YOUNG,OPENED,STORED,DAMAGED,AWAY                 | Start                            | *     | ALREADY_EXISTS    |
            | COMPLETE,VERIFYING,PINNED                        | Start                            | *     | ALREADY_EXISTS    |
            | *                                                | Start                            | *     | PENDING           |
            | *                                                | End,EndOther,Revoke              | dead  | STALE_TOKEN       |
            | *                                                | Open,Store,StoreOther            | dead  | STALE_TOKEN       |
            | FREE                                             | End,EndOther,Revoke              | own   | STALE_TOKEN       |
            | FREE                                             | Open,Store,StoreOther            | own   | STALE_TOKEN       |
            | EXPIRED,MOVED,REVOKED,REMOVED                    | End,EndOther                     | own   | STALE_TOKEN       |
            | YOUNG,OPENED,AWAY                                | End,EndOther                     | own   | NOT_READY         |
            | DAMAGED                                          | End,EndOther                     | own   | CHECKSUM_MISMATCH |
            | STORED,OLD                                       | End                              | own   | COMPLETE          |
            | COMPLETE,VERIFYING,PINNED,GONE,LOST              | End                              | own   | unchanged         |
            | STORED,OLD,COMPLETE,VERIFYING,PINNED,GONE,LOST   | EndOther                         | own   | CHECKSUM_MISMATCH |
            | COMPLETE,VERIFYING,PINNED,GONE,LOST              | Revoke                           | own   | ALREADY_EXISTS    |
            | REVOKED,REMOVED                                  | Revoke                           | own   | unchanged         |
            | *                                                | Revoke                           | own   | FREE              |
            | FREE,COMPLETE,VERIFYING,PINNED,GONE,LOST,REVOKED,REMOVED | Abandon                  | *     | unchanged         |
            | *                                                | Abandon                          | *     | FREE              |
            | EXPIRED                                          | Expire                           | *     | FREE              |
            | *                                                | Expire                           | *     | unchanged         |
            | LOST                                             | Forget                           | *     | FREE              |
            | *                                                | Forget                           | *     | unchanged         |
            | COMPLETE,VERIFYING,GONE,LOST                     | Remove,ForceRemove               | *     | FREE              |
            | PINNED                                           | Remove                           | *     | CONFLICT          |
            | PINNED                                           | ForceRemove                      | *     | FREE              |
            | *                                                | Remove,ForceRemove               | *     | NOT_FOUND         |
            | DAMAGED,EXPIRED,MOVED,LOST,REVOKED,REMOVED       | Open,Store,StoreOther            | own   | STALE_TOKEN       |
            | YOUNG                                            | Open                             | own   | PENDING           |
            | *                                                | Open                             | own   | unchanged         |
            | YOUNG,OPENED                                     | Store,StoreOther                 | own   | PENDING           |
            | *                                                | Store                            | own   | unchanged         |
            | *                                                | StoreOther                       | own   | CHECKSUM_MISMATCH |
            | REVOKED                                          | Close                            | *     | FREE              |
            | YOUNG,OPENED,STORED,OLD,EXPIRED,MOVED,AWAY       | Close,Free                       | *     | PENDING           |
            | *                                                | Close                            | *     | unchanged         |
            | FREE,DAMAGED                                     | Free                             | *     | unchanged         |
            | *                                                | Free                             | *     | FREE              |
            | OPENED,STORED,OLD,EXPIRED,MOVED,AWAY             | Condemn                          | *     | PENDING           |
            | COMPLETE,VERIFYING,PINNED,GONE,LOST              | Condemn                          | *     | FREE              |
            | *                                                | Condemn                          | *     | unchanged         |
            """);

    private static final Set<String> EDGES = Set.of(
            "INITIALIZED PROCESSING",
            "INITIALIZED REMOVED",
            "PROCESSING COMPLETE",
            "PROCESSING FAILED",
            "PROCESSING REMOVED",
            "COMPLETE REMOVED");

    private enum Asked {
        Start,
        End,
        EndOther,
        Revoke,
        Abandon,
        Expire,
        Forget,
        Remove,
        ForceRemove,
        Open,
        Store,
        StoreOther,
        Close,
        Condemn,
        Free
    }

    private static PutCommand command(Asked asked, String token) {
        String hash = token.equals("own") ? Keys.OWN : Keys.DEAD;
        Stored stored = new Stored(Keys.NOW, Keys.SIZE, Keys.DIGEST, List.of(1L));
        Stored other = new Stored(Keys.NOW, Keys.SIZE, "e".repeat(64), List.of(1L));
        return switch (asked) {
            case Start -> Keys.start(ObjectType.GENERAL, null, null, null);
            case End -> new PutCommand.End(hash, Keys.SIZE, Keys.DIGEST, 8, null, null);
            case EndOther -> new PutCommand.End(hash, Keys.SIZE, "e".repeat(64), 8, null, null);
            case Revoke -> new PutCommand.Revoke(hash);
            case Abandon -> new PutCommand.Abandon();
            case Expire -> new PutCommand.Expire();
            case Forget -> new PutCommand.Forget();
            case Remove -> new PutCommand.Remove(false);
            case ForceRemove -> new PutCommand.Remove(true);
            case Open -> new PutCommand.Open(Keys.COPY, hash);
            case Store -> new PutCommand.Store(Keys.COPY, hash, stored, null);
            case StoreOther -> new PutCommand.Store(Keys.COPY, hash, other, null);
            case Close -> new PutCommand.Close(Keys.COPY);
            case Condemn -> new PutCommand.Condemn(Keys.COPY);
            case Free -> new PutCommand.Free(Keys.COPY);
        };
    }

    private static Dimension[] dimensions() {
        return new Dimension[] {
            Dimension.of("state", Keys.State.class),
            Dimension.of("command", Asked.class),
            Dimension.of("token", "own", "dead")
        };
    }

    @Test
    void everyCell() {
        TABLE.every(dimensions()).forEach(row -> {
            Put put = Keys.in(Keys.State.valueOf(row.get("state")));
            PutCommand command = command(Asked.valueOf(row.get("command")), row.get("token"));
            assertThat(outcome(put, command)).as(row.toString()).isEqualTo(row.get("outcome"));
        });
    }

    private static String outcome(Put put, PutCommand command) {
        return switch (PutDecider.decide(put, command, Keys.NOW)) {
            case Decision.Refused<PutEvent>(Problem problem) -> problem.code().name();
            case Decision.Unchanged<PutEvent>() -> "unchanged";
            case Decision.Accepted<PutEvent>(List<PutEvent> events) ->
                fold(put, events).phase().name();
        };
    }

    private static Put fold(Put put, List<PutEvent> events) {
        Put state = put;
        for (PutEvent event : events) {
            state = state.after(event);
        }
        return state;
    }

    @Test
    void copiesMoveAlongTheEdgesOfTheSpecOnly() {
        TABLE.every(dimensions()).forEach(row -> {
            Put put = Keys.in(Keys.State.valueOf(row.get("state")));
            PutCommand command = command(Asked.valueOf(row.get("command")), row.get("token"));
            if (PutDecider.decide(put, command, Keys.NOW) instanceof Decision.Accepted<PutEvent>(var events)) {
                Put state = put;
                for (PutEvent event : events) {
                    Put next = state.after(event);
                    for (Copy copy : state.copies()) {
                        next.copy(copy.replicaId())
                                .filter(after -> after.state() != copy.state())
                                .ifPresent(after -> assertThat(EDGES)
                                        .as("%s by %s", row, event)
                                        .contains(copy.state() + " " + after.state()));
                    }
                    state = next;
                }
            }
        });
    }

    @Test
    void aReadableCopysBytesAreNeverFreedAtOnce() {
        Put put = Keys.in(Keys.State.COMPLETE);
        Put removed = fold(put, List.of(new PutEvent.CopyRetired(Keys.COPY, Keys.NOW)));
        assertThat(removed.copy(Keys.COPY).orElseThrow().reclaimAfter()).isNull();
        Put revoked = fold(Keys.in(Keys.State.STORED), List.of(new PutEvent.PutRevoked(Keys.PUT, Keys.NOW)));
        assertThat(revoked.copy(Keys.COPY).orElseThrow())
                .satisfies(copy -> assertThat(copy.state()).isEqualTo(ReplicaState.REMOVED))
                .satisfies(copy ->
                        assertThat(copy.reclaimAfter()).as("never readable").isEqualTo(Keys.NOW));
    }

    @Test
    void aSecondTargetMustBeWholeToo() {
        Copy whole = Keys.copy(ReplicaState.PROCESSING, Standing.SOUND, true);
        Copy open = Keys.copy(new UUID(1, 2), new UUID(3, 4), ReplicaState.PROCESSING, Standing.SOUND, false);
        Put put = Keys.put(
                Keys.content(0, Pin.NONE, null),
                Keys.attempt(Attempt.State.PENDING, Keys.NOW, Keys.NOW.plusSeconds(9)),
                whole,
                open);
        assertThat(outcome(put, command(Asked.End, "own"))).isEqualTo("NOT_READY");
        Put other = put.after(new PutEvent.CopyStored(
                open.replicaId(), new Stored(Keys.NOW, Keys.SIZE, "f".repeat(64), List.of(2L))));
        assertThat(outcome(other, command(Asked.End, "own"))).isEqualTo("CHECKSUM_MISMATCH");
        Put equal = put.after(
                new PutEvent.CopyStored(open.replicaId(), new Stored(Keys.NOW, Keys.SIZE, Keys.DIGEST, List.of(1L))));
        assertThat(outcome(equal, command(Asked.End, "own"))).isEqualTo("COMPLETE");
    }

    @Test
    void isDocumented() {
        TABLE.assertDocumented();
    }
}
