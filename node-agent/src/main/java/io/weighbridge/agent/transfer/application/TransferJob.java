package io.weighbridge.agent.transfer.application;

import io.weighbridge.agent.transfer.domain.TransferCommand;
import io.weighbridge.agent.transfer.domain.TransferDecider;
import io.weighbridge.agent.transfer.domain.TransferEvent;
import io.weighbridge.agent.transfer.domain.TransferState;
import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.wire.StartTransfers;
import io.weighbridge.wire.Transfer;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;

/** One transfer: what was asked, where it stands, how to stop it. */
final class TransferJob {

    private final UUID id;
    private final StartTransfers.Item item;
    private final Supplier<Instant> clock;
    private final Instant startedAt;
    private final Disposable.Swap work = Disposables.swap();
    private TransferState state = TransferState.QUEUED;
    private @Nullable Instant endedAt;
    private @Nullable Problem problem;
    private volatile String transport = "none";
    private volatile long bytesDone;
    private volatile long bytesTotal;

    TransferJob(UUID id, StartTransfers.Item item, Supplier<Instant> clock) {
        this.id = id;
        this.item = item;
        this.clock = clock;
        this.startedAt = clock.get();
    }

    UUID id() {
        return id;
    }

    StartTransfers.Item item() {
        return item;
    }

    synchronized TransferState state() {
        return state;
    }

    /** True when the command took effect. */
    synchronized boolean apply(TransferCommand command) {
        if (!(TransferDecider.decide(state, command) instanceof Decision.Accepted<TransferEvent>(var events))) {
            return false;
        }
        for (TransferEvent event : events) {
            state = TransferDecider.after(event);
            if (event instanceof TransferEvent.Failed(Problem reason)) {
                problem = reason;
            }
        }
        if (state.isOver()) {
            endedAt = clock.get();
        }
        return true;
    }

    /** What is stopped when the transfer is cancelled. */
    void working(Disposable running) {
        work.update(running);
    }

    void stop() {
        work.dispose();
    }

    void sized(long total) {
        bytesTotal = total;
    }

    void progressed(long done) {
        bytesDone = done;
    }

    void by(String name) {
        transport = name;
    }

    synchronized Transfer view() {
        return new Transfer(
                id,
                item.target().replicaId(),
                Transfer.State.valueOf(state.name()),
                transport,
                bytesDone,
                bytesTotal,
                startedAt,
                endedAt,
                problem == null ? null : problem.code(),
                problem == null ? null : problem.detail());
    }
}
