package io.weighbridge.agent.transfer.domain;

import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;

/** The rules of a transfer. What is over stays as it is: cancelling it changes nothing, all else is a CONFLICT. */
public final class TransferDecider {

    private TransferDecider() {}

    public static Decision<TransferEvent> decide(TransferState state, TransferCommand command) {
        return switch (command) {
            case TransferCommand.Begin() -> from(state, TransferState.QUEUED, new TransferEvent.Begun());
            case TransferCommand.Verify() -> from(state, TransferState.RUNNING, new TransferEvent.Arrived());
            case TransferCommand.PullAgain() -> from(state, TransferState.VERIFYING, new TransferEvent.Rejected());
            case TransferCommand.Complete() -> from(state, TransferState.VERIFYING, new TransferEvent.Completed());
            case TransferCommand.Fail(Problem problem) ->
                switch (state) {
                    case QUEUED, RUNNING, VERIFYING -> Decision.accepted(new TransferEvent.Failed(problem));
                    case FAILED -> Decision.unchanged();
                    case DONE, CANCELLED -> conflict(state);
                };
            case TransferCommand.Cancel() ->
                switch (state) {
                    case QUEUED, RUNNING, VERIFYING -> Decision.accepted(new TransferEvent.Cancelled());
                    case DONE, FAILED, CANCELLED -> Decision.unchanged();
                };
        };
    }

    /** The state after an event. */
    public static TransferState after(TransferEvent event) {
        return switch (event) {
            case TransferEvent.Begun() -> TransferState.RUNNING;
            case TransferEvent.Arrived() -> TransferState.VERIFYING;
            case TransferEvent.Rejected() -> TransferState.RUNNING;
            case TransferEvent.Completed() -> TransferState.DONE;
            case TransferEvent.Failed(Problem problem) -> TransferState.FAILED;
            case TransferEvent.Cancelled() -> TransferState.CANCELLED;
        };
    }

    /** Allowed from one state; repeating what has just happened changes nothing. */
    private static Decision<TransferEvent> from(TransferState state, TransferState expected, TransferEvent event) {
        if (state == expected) {
            return Decision.accepted(event);
        }
        return state == after(event) ? Decision.unchanged() : conflict(state);
    }

    private static Decision<TransferEvent> conflict(TransferState state) {
        return Decision.refused(Problem.of(ProblemCode.CONFLICT, "the transfer is " + state));
    }
}
