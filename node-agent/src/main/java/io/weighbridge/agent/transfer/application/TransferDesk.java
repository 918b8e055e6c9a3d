package io.weighbridge.agent.transfer.application;

import io.weighbridge.agent.registration.application.LedgerClock;
import io.weighbridge.agent.registration.application.WriteTokens;
import io.weighbridge.agent.transfer.domain.TransferCommand;
import io.weighbridge.agent.transfer.domain.TransferState;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.wire.StartTransfers;
import io.weighbridge.wire.Transfer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Where transfers are ordered, watched and cancelled. A copy has one transfer at a time. */
public final class TransferDesk {

    private static final Duration PROGRESS_PAUSE = Duration.ofMillis(200);
    private static final int REMEMBERED = 10_000;

    private final LedgerClock clock;
    private final WriteTokens tokens;
    private final TransferRun run;
    private final TransferQueue queue;

    /** By transfer id, oldest first. */
    private final Map<UUID, TransferJob> jobs = new LinkedHashMap<>();

    private final Map<UUID, TransferJob> byReplica = new LinkedHashMap<>();

    TransferDesk(LedgerClock clock, WriteTokens tokens, TransferRun run, TransferQueue queue) {
        this.clock = clock;
        this.tokens = tokens;
        this.run = run;
        this.queue = queue;
    }

    /**
     * Orders transfers, one answer for each in order. An order for a copy that has a transfer in progress or done is
     * that transfer; one that failed or was cancelled begins anew.
     */
    public Mono<List<Transfer>> start(List<StartTransfers.Item> items) {
        return Flux.fromIterable(items)
                .concatMap(item -> tokens.verify(item.target().writeToken(), item.key())
                        .map(grant -> order(item, grant.tenantId(), grant.replicaId()))
                        .onErrorResume(ProblemException.class, e -> Mono.just(refused(item, e.problem()))))
                .map(TransferJob::view)
                .collectList()
                .doOnNext(views -> runNext());
    }

    /** Newest first. */
    public synchronized List<Transfer> list(int atMost) {
        List<TransferJob> all = new ArrayList<>(jobs.values()).reversed();
        return all.stream().limit(atMost).map(TransferJob::view).toList();
    }

    /** @throws ProblemException NOT_FOUND */
    public Transfer find(UUID transferId) {
        return job(transferId).view();
    }

    /** Stops it; the space of what was copied returns. One that is over stays as it is. */
    public Transfer cancel(UUID transferId) {
        TransferJob job = job(transferId);
        if (job.apply(new TransferCommand.Cancel())) {
            job.stop();
            tokens.abandon(job.item().target().replicaId());
        }
        return job.view();
    }

    /** Its progress until it is over, several times a second at most. */
    public Flux<Transfer> follow(UUID transferId) {
        TransferJob job = job(transferId);
        return Flux.interval(Duration.ZERO, PROGRESS_PAUSE)
                .onBackpressureDrop()
                .map(tick -> job.view())
                .distinctUntilChanged()
                .takeUntil(view -> TransferState.valueOf(view.state().name()).isOver());
    }

    private TransferJob order(StartTransfers.Item item, String tenant, UUID replicaId) {
        if (!replicaId.equals(item.target().replicaId())) {
            return refused(item, Problem.of(ProblemCode.PERMISSION_DENIED, "the write token is for another copy"));
        }
        synchronized (this) {
            TransferJob present = byReplica.get(replicaId);
            if (present != null
                    && present.state() != TransferState.FAILED
                    && present.state() != TransferState.CANCELLED) {
                return present;
            }
            TransferJob job = newJob(item);
            if (!queue.offer(tenant, job)) {
                job.apply(new TransferCommand.Fail(Problem.of(ProblemCode.BUSY, "too many transfers are waiting")));
                return job;
            }
            jobs.put(job.id(), job);
            byReplica.put(replicaId, job);
            forgetOldest();
            return job;
        }
    }

    private TransferJob refused(StartTransfers.Item item, Problem problem) {
        TransferJob job = newJob(item);
        job.apply(new TransferCommand.Fail(problem));
        return job;
    }

    private TransferJob newJob(StartTransfers.Item item) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new TransferJob(new UUID(random.nextLong(), random.nextLong()), item, clock::now);
    }

    private void runNext() {
        queue.next().ifPresent(job -> {
            if (job.apply(new TransferCommand.Begin())) {
                Disposable running = run.run(job).doFinally(signal -> ended()).subscribe();
                job.working(running);
                runNext();
            } else {
                ended();
            }
        });
    }

    private void ended() {
        queue.ended();
        runNext();
    }

    private void forgetOldest() {
        if (jobs.size() > REMEMBERED) {
            jobs.values().stream()
                    .filter(job -> job.state().isOver())
                    .findFirst()
                    .ifPresent(old -> {
                        jobs.remove(old.id());
                        byReplica.remove(old.item().target().replicaId(), old);
                    });
        }
    }

    private synchronized TransferJob job(UUID transferId) {
        TransferJob job = jobs.get(transferId);
        if (job == null) {
            throw new ProblemException(ProblemCode.NOT_FOUND, "there is no such transfer");
        }
        return job;
    }
}
