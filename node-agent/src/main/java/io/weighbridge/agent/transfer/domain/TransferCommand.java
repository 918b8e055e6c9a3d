package io.weighbridge.agent.transfer.domain;

import io.weighbridge.ledger.problem.Problem;

/** What can be asked of a transfer. */
public sealed interface TransferCommand {

    /** Its turn has come. */
    record Begin() implements TransferCommand {}

    /** All bytes have arrived. */
    record Verify() implements TransferCommand {}

    /** The bytes were wrong and another source is tried. */
    record PullAgain() implements TransferCommand {}

    /** The ledger has acknowledged the copy. */
    record Complete() implements TransferCommand {}

    /** It cannot go on. */
    record Fail(Problem problem) implements TransferCommand {}

    /** Nobody wants it any more. */
    record Cancel() implements TransferCommand {}
}
