package io.weighbridge.metadata.object.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.token.Secret;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.ReplicaState;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.testkit.MachineTable;
import io.weighbridge.testkit.MachineTable.Dimension;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Writes to members of managed groups, and copies that operations add and retire; from spec 1.4 and 1.7. */
class MemberTableTest {

    private static final RevisionId REVISION = new RevisionId("a".repeat(64));
    private static final String TOKEN = "the import token";

    private static final MachineTable STARTS =
            MachineTable.of("member-put", "Starting puts of members", "spec 1.4, 1.7 and 2.2", """
            | revision                         | key      | type             | import token  | payloads | outcome          |
            | NONE                             | *        | *                | *             | *        | INVALID_ARGUMENT |
            | *                                | manifest | WEIGHT,GENERAL   | *             | *        | INVALID_ARGUMENT |
            | *                                | payload  | METADATA,GENERAL | *             | *        | INVALID_ARGUMENT |
            | *                                | *        | *                | wrong,missing | *        | STALE_TOKEN      |
            | READY,DEGRADED,DELETING,DELETED  | *        | *                | current       | *        | CONFLICT         |
            | IMPORTING                        | manifest | METADATA         | current       | lacking  | NOT_READY        |
            | IMPORTING                        | *        | *                | current       | *        | PENDING          |
            """);

    private static final MachineTable RETIREMENTS =
            MachineTable.of("replica-retire", "Retiring copies of members", "spec 1.7, 1.8 and 2.3", """
            | copy       | others   | purpose   | lease | outcome   |
            | REMOVED    | *        | *         | *     | unchanged |
            | *          | *        | delete    | yes   | BUSY      |
            | *          | *        | delete    | no    | REMOVED   |
            | COMPLETE   | none     | operation | yes   | BUSY      |
            | COMPLETE   | none     | operation | no    | CONFLICT  |
            | COMPLETE   | moved    | operation | yes   | BUSY      |
            | COMPLETE   | moved    | operation | no    | CONFLICT  |
            | *          | *        | operation | *     | REMOVED   |
            """);

    @Test
    void everyStart() {
        STARTS.every(
                        Dimension.of("revision", "NONE", "IMPORTING", "READY", "DEGRADED", "DELETING", "DELETED"),
                        Dimension.of("key", "manifest", "payload"),
                        Dimension.of("type", "WEIGHT", "METADATA", "GENERAL"),
                        Dimension.of("import token", "current", "wrong", "missing"),
                        Dimension.of("payloads", "complete", "lacking"))
                .forEach(row -> {
                    Put put = Keys.in(Keys.State.FREE);
                    String manifest = row.get("key").equals("manifest") ? put.key() : "another";
                    Membership membership = row.get("revision").equals("NONE")
                            ? null
                            : new Membership(
                                    REVISION,
                                    "default",
                                    Availability.valueOf(row.get("revision")),
                                    Secret.hash(TOKEN),
                                    manifest,
                                    10,
                                    row.get("payloads").equals("complete") ? 10 : 9);
                    String token = switch (row.get("import token")) {
                        case "current" -> TOKEN;
                        case "wrong" -> "wrong";
                        case "missing" -> null;
                        default -> throw new IllegalArgumentException(row.toString());
                    };
                    PutCommand command = Keys.start(ObjectType.valueOf(row.get("type")), REVISION, membership, token);
                    assertThat(outcome(put, command)).as(row.toString()).isEqualTo(row.get("outcome"));
                });
    }

    private static String outcome(Put put, PutCommand command) {
        return switch (PutDecider.decide(put, command, Keys.NOW)) {
            case Decision.Refused<PutEvent>(Problem problem) -> problem.code().name();
            case Decision.Unchanged<PutEvent>() -> "unchanged";
            case Decision.Accepted<PutEvent>(List<PutEvent> events) -> {
                Put after = put;
                for (PutEvent event : events) {
                    after = after.after(event);
                }
                yield after.copy(Keys.COPY).isPresent()
                        ? after.copy(Keys.COPY).get().state().name()
                        : after.phase().name();
            }
        };
    }

    @Test
    void everyRetirement() {
        RETIREMENTS
                .every(
                        Dimension.of("copy", "INITIALIZED", "PROCESSING", "COMPLETE", "REMOVED"),
                        Dimension.of("others", "none", "moved", "readable"),
                        Dimension.of("purpose", "operation", "delete"),
                        Dimension.of("lease", "yes", "no"))
                .forEach(row -> {
                    ReplicaState state = ReplicaState.valueOf(row.get("copy"));
                    Copy copy = Keys.copy(state, Standing.SOUND, state != ReplicaState.INITIALIZED);
                    Standing other = row.get("others").equals("moved") ? Standing.MOVED : Standing.SOUND;
                    Copy second = Keys.copy(new UUID(1, 2), new UUID(3, 4), ReplicaState.COMPLETE, other, true);
                    Put put = row.get("others").equals("none")
                            ? Keys.ended(Pin.NONE, copy)
                            : Keys.ended(Pin.NONE, copy, second);
                    PutCommand command = new PutCommand.Retire(
                            Keys.COPY,
                            row.get("purpose").equals("delete"),
                            row.get("lease").equals("yes"),
                            false);
                    assertThat(outcome(put, command)).as(row.toString()).isEqualTo(row.get("outcome"));
                });
    }

    @Test
    void aMemberIsNeitherRemovedNorWrittenFromOutside() {
        Put member = Keys.put(
                Keys.content(7, Pin.NONE, REVISION),
                Keys.attempt(Attempt.State.ENDED, Keys.NOW, Keys.NOW),
                Keys.copy(ReplicaState.COMPLETE, Standing.MOVED, true));
        assertThat(outcome(member, new PutCommand.Remove(true))).isEqualTo("MANAGED_GROUP");
        assertThat(outcome(member, Keys.start(ObjectType.GENERAL, null, null, null)))
                .isEqualTo("MANAGED_GROUP");
    }

    @Test
    void aPlannedCopyIsCommittedByItsReportAlone() {
        UUID operation = new UUID(5, 5);
        UUID node = new UUID(3, 7);
        Put member = Keys.put(
                Keys.content(7, Pin.NONE, REVISION),
                Keys.attempt(Attempt.State.ENDED, Keys.NOW, Keys.NOW),
                Keys.copy(ReplicaState.COMPLETE, Standing.SOUND, true));
        Attempt attempt = new Attempt(
                new UUID(2, 7),
                REVISION,
                operation,
                "service/reconciliation",
                "planned",
                Attempt.State.PENDING,
                Keys.NOW,
                Keys.NOW.plusSeconds(9));
        Room room = new Room(new UUID(4, 7), node, "http://n", Tier.LOCAL_DISK, 1, 1000, 0, null, null, 0);
        Copy copy = Copy.reserved(new UUID(1, 7), attempt.putId(), operation, room, Keys.SIZE, Keys.NOW);
        PutCommand.Plan plan = new PutCommand.Plan(attempt, node, Tier.LOCAL_DISK, false, copy);
        Put planned = fold(member, plan);
        assertThat(outcome(planned, plan)).as("a live plan is not made twice").isEqualTo("unchanged");

        // A client's end must never complete what an operation owns.
        assertThat(outcome(planned, new PutCommand.End("planned", null, null, 9, null, null)))
                .isEqualTo("STALE_TOKEN");
        Stored good = new Stored(Keys.NOW, Keys.SIZE, Keys.DIGEST, List.of(1L));
        assertThat(outcome(planned, new PutCommand.Store(copy.replicaId(), "planned", good, new UUID(5, 6))))
                .as("another operation is active")
                .isEqualTo("STALE_TOKEN");
        Put stored = fold(planned, new PutCommand.Store(copy.replicaId(), "planned", good, operation));
        assertThat(stored.copy(copy.replicaId()).orElseThrow().isReadable()).isTrue();
        Stored bad = new Stored(Keys.NOW, Keys.SIZE, "e".repeat(64), List.of(1L));
        Put failed = fold(planned, new PutCommand.Store(copy.replicaId(), "planned", bad, operation));
        assertThat(failed.copy(copy.replicaId()).orElseThrow().state()).isEqualTo(ReplicaState.FAILED);
        assertThat(outcome(failed, new PutCommand.Retire(Keys.COPY, false, false, false)))
                .as("the other one is still the last")
                .isEqualTo("CONFLICT");
    }

    private static Put fold(Put put, PutCommand command) {
        if (PutDecider.decide(put, command, Keys.NOW) instanceof Decision.Accepted<PutEvent>(var events)) {
            Put after = put;
            for (PutEvent event : events) {
                after = after.after(event);
            }
            return after;
        }
        throw new AssertionError(PutDecider.decide(put, command, Keys.NOW));
    }

    @Test
    void areDocumented() {
        STARTS.assertDocumented();
        RETIREMENTS.assertDocumented();
    }
}
