package io.weighbridge.metadata.revision.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.metadata.revision.domain.Cases.Asked;
import io.weighbridge.metadata.revision.domain.Cases.Expected;
import io.weighbridge.metadata.revision.domain.Cases.Seen;
import io.weighbridge.metadata.revision.domain.Cases.State;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import io.weighbridge.testkit.MachineTable;
import io.weighbridge.testkit.MachineTable.Dimension;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Goal: what each command does in each state, for each fence and each view of the members. Method: the table below was
 * written from spec 1.5 and not from the decider; all 4,250 combinations are decided and compared with the first row that
 * fits.
 */
class RevisionTableTest {

    /** The outcome is the state afterwards, {@code unchanged}, or the refusal's code. */
    private static final MachineTable TABLE = MachineTable.of("revision", "Weight revisions", "spec 1.5 and 1.8", """
            | state                               | command          | fence                     | members         | outcome          |
            | NONE                                | BeginImport,TakeOver | *                     | *               | IMPORTING        |
            | NONE                                | *                | *                         | *               | NOT_FOUND        |
            | IMPORTING                           | TakeOver         | *                         | *               | IMPORTING        |
            | DEGRADED,DELETING,DELETED           | BeginImport,TakeOver | *                     | *               | CONFLICT         |
            | *                                   | BeginImport,TakeOver | *                     | *               | unchanged        |
            | IMPORTING                           | HeartbeatImport  | *                         | *               | IMPORTING        |
            | *                                   | HeartbeatImport  | *                         | *               | CONFLICT         |
            | READY,DEGRADED,EVICTING,REHYDRATING,REPAIRING,AUTO | CommitImport | current,previous,commit | *  | unchanged        |
            | *                                   | CommitImport     | previous,commit,old,ahead | *               | STALE_GENERATION |
            | DELETING,DELETED                    | CommitImport     | current                   | *               | CONFLICT         |
            | IMPORTING                           | CommitImport     | current                   | absent          | NOT_FOUND        |
            | IMPORTING                           | CommitImport     | current                   | partial         | NOT_READY        |
            | IMPORTING                           | CommitImport     | current                   | *               | READY            |
            | DELETING                            | AbortImport      | current,previous          | *               | unchanged        |
            | *                                   | AbortImport      | previous,commit,old,ahead | *               | STALE_GENERATION |
            | IMPORTING                           | AbortImport      | current                   | *               | DELETING         |
            | *                                   | AbortImport      | current                   | *               | CONFLICT         |
            | EVICTING                            | Evict            | current,previous          | *               | unchanged        |
            | REHYDRATING,REPAIRING               | Evict            | *                         | *               | BUSY             |
            | *                                   | Evict            | previous,commit,old,ahead | *               | STALE_GENERATION |
            | IMPORTING,DELETING,DELETED          | Evict            | current                   | *               | NOT_READY        |
            | READY,DEGRADED,AUTO                 | Evict            | current                   | leased          | BUSY             |
            | READY,DEGRADED,AUTO                 | Evict            | current                   | absent          | NOT_READY        |
            | READY,DEGRADED,AUTO                 | Evict            | current                   | *               | EVICTING         |
            | REHYDRATING                         | Rehydrate        | current,previous          | *               | unchanged        |
            | EVICTING,REPAIRING                  | Rehydrate        | *                         | *               | BUSY             |
            | *                                   | Rehydrate        | previous,commit,old,ahead | *               | STALE_GENERATION |
            | IMPORTING,DELETING,DELETED          | Rehydrate        | current                   | *               | NOT_READY        |
            | READY,DEGRADED,AUTO                 | Rehydrate        | current                   | absent          | NOT_READY        |
            | READY,DEGRADED,AUTO                 | Rehydrate        | current                   | *               | REHYDRATING      |
            | REPAIRING                           | StartRepair      | current,previous          | *               | unchanged        |
            | EVICTING,REHYDRATING                | StartRepair      | *                         | *               | BUSY             |
            | *                                   | StartRepair      | previous,commit,old,ahead | *               | STALE_GENERATION |
            | IMPORTING,DELETING,DELETED          | StartRepair      | current                   | *               | NOT_READY        |
            | READY,DEGRADED,AUTO                 | StartRepair      | current                   | absent          | NOT_READY        |
            | READY,DEGRADED,AUTO                 | StartRepair      | current                   | hot,leased      | unchanged        |
            | READY,DEGRADED,AUTO                 | StartRepair      | current                   | cold,partial    | REPAIRING        |
            | AUTO                                | StartAutoRepair  | current,previous          | *               | unchanged        |
            | EVICTING,REHYDRATING,REPAIRING      | StartAutoRepair  | *                         | *               | BUSY             |
            | *                                   | StartAutoRepair  | previous,commit,old,ahead | *               | STALE_GENERATION |
            | IMPORTING,DELETING,DELETED          | StartAutoRepair  | current                   | *               | NOT_READY        |
            | READY,DEGRADED                      | StartAutoRepair  | current                   | absent          | NOT_READY        |
            | READY,DEGRADED                      | StartAutoRepair  | current                   | hot,leased      | unchanged        |
            | READY,DEGRADED                      | StartAutoRepair  | current                   | cold,partial    | AUTO             |
            | *                                   | SetPlacement     | previous,commit,old,ahead | *               | STALE_GENERATION |
            | IMPORTING,DELETING,DELETED          | SetPlacement     | current                   | *               | NOT_READY        |
            | READY,AUTO                          | SetPlacement     | current                   | *               | READY            |
            | DEGRADED                            | SetPlacement     | current                   | *               | DEGRADED         |
            | EVICTING                            | SetPlacement     | current                   | *               | EVICTING         |
            | REHYDRATING                         | SetPlacement     | current                   | *               | REHYDRATING      |
            | REPAIRING                           | SetPlacement     | current                   | *               | REPAIRING        |
            | EVICTING,REHYDRATING,REPAIRING,AUTO | CancelOperation  | *                         | partial,absent  | DEGRADED         |
            | EVICTING,REHYDRATING,REPAIRING,AUTO | CancelOperation  | *                         | *               | READY            |
            | *                                   | CancelOperation  | *                         | *               | CONFLICT         |
            | DELETED                             | Delete,DeleteNow | *                         | *               | unchanged        |
            | DELETING                            | Delete,DeleteNow | current,previous          | *               | unchanged        |
            | *                                   | Delete,DeleteNow | previous,commit,old,ahead | *               | STALE_GENERATION |
            | EVICTING,REHYDRATING,REPAIRING      | Delete,DeleteNow | current                   | *               | BUSY             |
            | IMPORTING                           | Delete,DeleteNow | current                   | *               | NOT_READY        |
            | READY,DEGRADED,AUTO                 | DeleteNow        | current                   | leased          | BUSY             |
            | READY,DEGRADED,AUTO                 | Delete,DeleteNow | current                   | *               | DELETING         |
            | IMPORTING,DELETING,DELETED          | Observe          | *                         | *               | unchanged        |
            | DEGRADED                            | Observe          | *                         | partial         | unchanged        |
            | DEGRADED                            | Observe          | *                         | absent          | DEGRADED         |
            | DEGRADED                            | Observe          | *                         | *               | READY            |
            | *                                   | Observe          | *                         | hot,leased      | unchanged        |
            | READY                               | Observe          | *                         | cold            | READY            |
            | READY                               | Observe          | *                         | partial,absent  | DEGRADED         |
            | EVICTING                            | Observe          | *                         | *               | EVICTING         |
            | REHYDRATING                         | Observe          | *                         | *               | REHYDRATING      |
            | REPAIRING                           | Observe          | *                         | *               | REPAIRING        |
            | AUTO                                | Observe          | *                         | *               | AUTO             |
            | EVICTING                            | UpdateProgress   | *                         | cold            | EVICTING         |
            | EVICTING                            | UpdateProgress   | *                         | *               | unchanged        |
            | REHYDRATING,REPAIRING,AUTO          | UpdateProgress   | *                         | cold,absent     | unchanged        |
            | REHYDRATING                         | UpdateProgress   | *                         | *               | REHYDRATING      |
            | REPAIRING                           | UpdateProgress   | *                         | *               | REPAIRING        |
            | AUTO                                | UpdateProgress   | *                         | *               | AUTO             |
            | *                                   | UpdateProgress   | *                         | *               | CONFLICT         |
            | EVICTING                            | FinishOperation  | *                         | cold            | READY            |
            | REHYDRATING,REPAIRING,AUTO          | FinishOperation  | *                         | hot,leased      | READY            |
            | EVICTING,REHYDRATING,REPAIRING,AUTO | FinishOperation  | *                         | *               | NOT_READY        |
            | *                                   | FinishOperation  | *                         | *               | CONFLICT         |
            | DELETED                             | FinishDelete     | *                         | *               | unchanged        |
            | DELETING                            | FinishDelete     | *                         | absent          | DELETED          |
            | DELETING                            | FinishDelete     | *                         | *               | NOT_READY        |
            | *                                   | FinishDelete     | *                         | *               | CONFLICT         |
            """);

    private static final Set<List<Availability>> EDGES = Set.of(
            List.of(Availability.IMPORTING, Availability.READY),
            List.of(Availability.IMPORTING, Availability.DELETING),
            List.of(Availability.READY, Availability.DEGRADED),
            List.of(Availability.READY, Availability.DELETING),
            List.of(Availability.DEGRADED, Availability.READY),
            List.of(Availability.DEGRADED, Availability.DELETING),
            List.of(Availability.DELETING, Availability.DELETED));

    @Test
    void everyStateCommandFenceAndView() {
        long decided = TABLE.every(
                        Dimension.of("state", State.class),
                        Dimension.of("command", Asked.class),
                        Dimension.of("fence", Expected.class),
                        Dimension.of("members", Seen.class))
                .peek(row -> assertThat(outcome(row)).as("%s", row).isEqualTo(row.get("outcome")))
                .count();
        assertThat(decided).isEqualTo(10 * 17 * 5 * 5);
    }

    @Test
    void isDocumented() {
        TABLE.assertDocumented();
    }

    private static String outcome(MachineTable.Row row) {
        Revision before = Cases.state(State.valueOf(row.get("state")));
        RevisionCommand command = Cases.command(
                before,
                Asked.valueOf(row.get("command")),
                Expected.valueOf(row.get("fence")).fence());
        Circumstances seen = Cases.seen(Seen.valueOf(row.get("members")));
        return switch (RevisionDecider.decide(before, command, seen)) {
            case Decision.Refused<RevisionEvent>(var problem) -> problem.code().name();
            case Decision.Unchanged<RevisionEvent>() -> "unchanged";
            case Decision.Accepted<RevisionEvent>(var events) -> name(lawful(before, events));
        };
    }

    /** Whatever is accepted: one generation at most, a legal edge, and time that does not run backwards. */
    private static Registered lawful(Revision before, List<RevisionEvent> events) {
        Registered after = (Registered) Revision.after(before, events);
        if (before instanceof Registered was) {
            long advances =
                    events.stream().filter(RevisionEvent::advancesGeneration).count();
            assertThat(advances).isLessThanOrEqualTo(1);
            assertThat(after.generation()).isEqualTo(was.generation() + advances);
            assertThat(after.updatedAt()).isAfterOrEqualTo(was.updatedAt());
            assertThat(was.availability() == after.availability()
                            || EDGES.contains(List.of(was.availability(), after.availability())))
                    .isTrue();
            assertThat(after.identity()).isEqualTo(was.identity());
            assertThat(was.publication() == null || was.publication().equals(after.publication()))
                    .isTrue();
        }
        return after;
    }

    private static String name(Registered revision) {
        Operation operation = revision.operation();
        if (operation == null) {
            return revision.availability().name();
        }
        return operation.automatic() ? State.AUTO.name() : operation.kind().name();
    }
}
