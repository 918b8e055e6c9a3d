package io.weighbridge.agent.transfer.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.testkit.MachineTable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TransferDeciderTest {

    private static final MachineTable TABLE = MachineTable.of("transfer", "Transfers of a node agent", "spec 4.2", """
            | state                 | command   | outcome   |
            | QUEUED            | Begin     | RUNNING   |
            | RUNNING           | Begin     | unchanged |
            | *                 | Begin     | CONFLICT  |
            | RUNNING           | Verify    | VERIFYING |
            | VERIFYING         | Verify    | unchanged |
            | *                 | Verify    | CONFLICT  |
            | VERIFYING         | PullAgain | RUNNING   |
            | RUNNING           | PullAgain | unchanged |
            | *                 | PullAgain | CONFLICT  |
            | VERIFYING         | Complete  | DONE      |
            | DONE              | Complete  | unchanged |
            | *                 | Complete  | CONFLICT  |
            | FAILED            | Fail      | unchanged |
            | DONE,CANCELLED    | Fail      | CONFLICT  |
            | *                 | Fail      | FAILED    |
            | DONE,FAILED,CANCELLED | Cancel | unchanged |
            | *                 | Cancel    | CANCELLED |
            """);

    static Stream<MachineTable.Row> rows() {
        return TABLE.every(
                MachineTable.Dimension.of("state", TransferState.class),
                MachineTable.Dimension.of("command", "Begin", "Verify", "PullAgain", "Complete", "Fail", "Cancel"));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void everyRow(MachineTable.Row row) {
        TransferState state = TransferState.valueOf(row.get("state"));
        assertThat(outcome(state, command(row.get("command")))).isEqualTo(row.get("outcome"));
    }

    @Test
    void isDocumented() {
        TABLE.assertDocumented();
    }

    private static TransferCommand command(String name) {
        return switch (name) {
            case "Begin" -> new TransferCommand.Begin();
            case "Verify" -> new TransferCommand.Verify();
            case "PullAgain" -> new TransferCommand.PullAgain();
            case "Complete" -> new TransferCommand.Complete();
            case "Fail" -> new TransferCommand.Fail(Problem.of(ProblemCode.UNAVAILABLE, "as the test wants"));
            case "Cancel" -> new TransferCommand.Cancel();
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static String outcome(TransferState state, TransferCommand command) {
        return switch (TransferDecider.decide(state, command)) {
            case Decision.Accepted<TransferEvent>(var events) -> {
                assertThat(events).hasSize(1);
                yield TransferDecider.after(events.getFirst()).name();
            }
            case Decision.Unchanged<TransferEvent>() -> "unchanged";
            case Decision.Refused<TransferEvent>(Problem problem) ->
                problem.code().name();
        };
    }
}
