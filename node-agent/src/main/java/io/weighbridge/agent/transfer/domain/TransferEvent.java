package io.weighbridge.agent.transfer.domain;

import io.weighbridge.ledger.problem.Problem;

/** What can have happened to a transfer. */
public sealed interface TransferEvent {

    record Begun() implements TransferEvent {}

    record Arrived() implements TransferEvent {}

    record Rejected() implements TransferEvent {}

    record Completed() implements TransferEvent {}

    record Failed(Problem problem) implements TransferEvent {}

    record Cancelled() implements TransferEvent {}
}
