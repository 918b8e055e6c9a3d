package io.weighbridge.ledger.store;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Runs commands that arrive at the same time as one transaction. While all lanes are at work the next commands gather,
 * so the batches grow with the load and a lone command waits for nobody. Each command gets its own answer, none before
 * the commit; a caller that goes away cancels nothing.
 *
 * @param <C> a command
 * @param <R> its answer; a refusal is an answer too
 */
public final class GroupCommit<C, R> {

    /** What became of one command of a batch. */
    public sealed interface Outcome<R> {

        /** It was answered by the batch's transaction. */
        record Answered<R>(R answer) implements Outcome<R> {}

        /** Its guard was taken by somebody else: it runs in a transaction of its own, so that it delays no others. */
        record Contended<R>() implements Outcome<R> {}
    }

    /** @param queued the most commands that may wait; one more is refused */
    public record Limits(int batch, int lanes, int queued) {

        /** Batches of at most 128, two at a time. */
        public static final Limits DEFAULT = new Limits(128, 2, 20_000);
    }

    private final Limits limits;
    private final Function<List<C>, Mono<List<Outcome<R>>>> together;
    private final Function<C, Mono<R>> alone;
    private final Scheduler scheduler = Schedulers.parallel();
    private final Queue<Pending<C, R>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final AtomicInteger lanes = new AtomicInteger();

    private record Pending<C, R>(C command, Sinks.One<R> answer) {}

    /**
     * @param together one transaction for many commands, with one outcome for each, in their order
     * @param alone one transaction for one command, which waits for its guard
     */
    public GroupCommit(Limits limits, Function<List<C>, Mono<List<Outcome<R>>>> together, Function<C, Mono<R>> alone) {
        this.limits = limits;
        this.together = together;
        this.alone = alone;
    }

    /** Answers after the commit, or with UNAVAILABLE when too many commands are waiting already. */
    public Mono<R> submit(C command) {
        return Mono.defer(() -> {
            if (queued.incrementAndGet() > limits.queued()) {
                queued.decrementAndGet();
                return Mono.error(new ProblemException(ProblemCode.UNAVAILABLE, "too many commands are waiting"));
            }
            Pending<C, R> pending = new Pending<>(command, Sinks.one());
            queue.add(pending);
            openLane();
            return pending.answer().asMono();
        });
    }

    private void openLane() {
        int open = lanes.get();
        while (open < limits.lanes()) {
            if (lanes.compareAndSet(open, open + 1)) {
                scheduler.schedule(this::drain);
                return;
            }
            open = lanes.get();
        }
    }

    private void drain() {
        List<Pending<C, R>> batch = new ArrayList<>();
        for (Pending<C, R> next = queue.poll(); next != null; next = queue.poll()) {
            queued.decrementAndGet();
            batch.add(next);
            if (batch.size() == limits.batch()) {
                break;
            }
        }
        if (batch.isEmpty()) {
            lanes.decrementAndGet();
            if (!queue.isEmpty()) {
                openLane();
            }
            return;
        }
        run(batch).doFinally(signal -> scheduler.schedule(this::drain)).subscribe();
    }

    private Mono<Void> run(List<Pending<C, R>> batch) {
        // A lone command of larger batches goes the same way: were it to wait for its guard, its lane would wait too.
        if (limits.batch() == 1) {
            return single(batch.getFirst());
        }
        return Mono.defer(() ->
                        together.apply(batch.stream().map(Pending::command).toList()))
                .doOnNext(outcomes -> {
                    if (outcomes.size() != batch.size()) {
                        throw new IllegalStateException(
                                outcomes.size() + " outcomes for " + batch.size() + " commands");
                    }
                })
                .flatMap(outcomes -> answer(batch, outcomes))
                .onErrorResume(error -> isFinal(error) ? fail(batch, error) : singles(batch));
    }

    private Mono<Void> answer(List<Pending<C, R>> batch, List<Outcome<R>> outcomes) {
        List<Pending<C, R>> contended = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            switch (outcomes.get(i)) {
                case Outcome.Answered<R>(R answer) -> batch.get(i).answer().tryEmitValue(answer);
                case Outcome.Contended<R>() -> contended.add(batch.get(i));
            }
        }
        // Not awaited: the lane goes on while these wait for their guards.
        singles(contended).subscribe();
        return Mono.empty();
    }

    private Mono<Void> singles(List<Pending<C, R>> batch) {
        return Flux.fromIterable(batch).flatMap(this::single, limits.lanes()).then();
    }

    private Mono<Void> single(Pending<C, R> pending) {
        return Mono.defer(() -> alone.apply(pending.command()))
                .doOnSuccess(answer -> pending.answer().tryEmitValue(answer))
                .doOnError(error -> pending.answer().tryEmitError(error))
                .onErrorComplete()
                .then();
    }

    private Mono<Void> fail(List<Pending<C, R>> batch, Throwable error) {
        batch.forEach(pending -> pending.answer().tryEmitError(error));
        return Mono.empty();
    }

    /**
     * Whether single transactions are of no use after a batch's error: they could do twice what may have been done, or
     * would ask a ledger that does not answer once for each command.
     */
    public static boolean isFinal(Throwable error) {
        return error instanceof ProblemException refusal
                && (refusal.problem().code() == ProblemCode.DURABILITY_FAILED
                        || refusal.problem().code() == ProblemCode.UNAVAILABLE);
    }
}
