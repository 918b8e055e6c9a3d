package io.weighbridge.agent.transfer.domain;

/** Where a transfer stands (spec 4.2). */
public enum TransferState {
    QUEUED,
    /** Bytes arrive. */
    RUNNING,
    /** All bytes are here; digest, durability and the ledger's answer are awaited. */
    VERIFYING,
    DONE,
    FAILED,
    CANCELLED;

    /** True when nothing will change any more. */
    public boolean isOver() {
        return switch (this) {
            case QUEUED, RUNNING, VERIFYING -> false;
            case DONE, FAILED, CANCELLED -> true;
        };
    }
}
