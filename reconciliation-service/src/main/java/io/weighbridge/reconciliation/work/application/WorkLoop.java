package io.weighbridge.reconciliation.work.application;

import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.reconciliation.work.domain.Claim;
import io.weighbridge.reconciliation.work.domain.Outcome;
import io.weighbridge.reconciliation.work.postgres.WorkProjection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The loop of one instance: claim what is due, look at each on its own, give it back. A slow revision holds one of the
 * places and nothing else; a lost claim stops its look.
 */
public final class WorkLoop implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(WorkLoop.class);
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);

    private final WorkProjection work;
    private final Look look;
    private final LoopSettings settings;
    private final AtomicInteger busy = new AtomicInteger();
    private final AtomicLong failures = new AtomicLong();
    private final ConcurrentMap<Claim, Disposable> looking = new ConcurrentHashMap<>();
    private final Sinks.Many<Long> hints = Sinks.many().multicast().directBestEffort();
    private volatile Disposable claiming = Disposables.disposed();

    public WorkLoop(WorkProjection work, Look look, LoopSettings settings) {
        this.work = work;
        this.look = look;
        this.settings = settings;
    }

    /** Looks that have failed since the start of this instance. */
    public long failures() {
        return failures.get();
    }

    /** Something may be due: do not wait for the next poll. */
    public void hint() {
        hints.tryEmitNext(0L);
    }

    @Override
    public void start() {
        claiming = Flux.merge(Flux.interval(Duration.ZERO, settings.poll()), hints.asFlux())
                .onBackpressureLatest()
                .concatMap(_ -> claim(), 1)
                .subscribe();
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    /** Looks end where they are, and their claims are given back at once. */
    @Override
    public void stop(Runnable callback) {
        claiming.dispose();
        List<Claim> unfinished = List.copyOf(looking.keySet());
        unfinished.forEach(claim -> {
            Disposable look = looking.remove(claim);
            if (look != null) {
                look.dispose();
            }
        });
        Flux.fromIterable(unfinished)
                .flatMap(claim -> work.finish(claim, Outcome.lookAgain(Duration.ZERO), Duration.ZERO))
                .take(LAST_WORDS)
                .doFinally(_ -> callback.run())
                .subscribe(_ -> {}, error -> LOG.info("claims run out by themselves: {}", describe(error)));
    }

    @Override
    public boolean isRunning() {
        return !claiming.isDisposed();
    }

    private Mono<Void> claim() {
        int free = settings.concurrency() - busy.get();
        if (free <= 0) {
            return Mono.empty();
        }
        return work.claim(free, settings.hold())
                .doOnNext(claims -> launch(claims))
                .onErrorResume(error -> {
                    LOG.warn("cannot claim work: {}", describe(error));
                    return Mono.empty();
                })
                .then();
    }

    private void launch(List<Claim> claims) {
        for (Claim claim : claims) {
            busy.incrementAndGet();
            Disposable.Swap look = Disposables.swap();
            looking.put(claim, look);
            look.update(lookAt(claim)
                    .onErrorResume(error -> {
                        LOG.warn("cannot give back revision {}: {}", claim.revision(), describe(error));
                        return Mono.just(false);
                    })
                    .doFinally(_ -> {
                        looking.remove(claim);
                        busy.decrementAndGet();
                        hint();
                    })
                    .subscribe());
        }
    }

    /** The look, for as long as the claim is ours. */
    private Mono<Boolean> lookAt(Claim claim) {
        return Mono.firstWithSignal(
                        Mono.defer(() -> look.at(claim)).onErrorResume(error -> failed(claim, error)), lost(claim))
                .flatMap(outcome -> finish(claim, outcome));
    }

    private Mono<Outcome> failed(Claim claim, Throwable error) {
        if (!(error instanceof ProblemException)) {
            LOG.error("looking at revision {} failed", claim.revision(), error);
        }
        return Mono.just(Outcome.failed(describe(error)));
    }

    private Mono<Boolean> finish(Claim claim, Outcome outcome) {
        if (outcome instanceof Outcome.Failed(String error)) {
            failures.incrementAndGet();
            LOG.info("revision {} is looked at again after a failure: {}", claim.revision(), error);
        }
        Duration pause = settings.backoff()
                .after(claim.failures() + 1, ThreadLocalRandom.current().nextDouble());
        return work.finish(claim, outcome, pause).doOnNext(ours -> {
            if (!ours) {
                LOG.info("the claim on revision {} was another's already", claim.revision());
            }
        });
    }

    /** Renews the claim; signals once it cannot be ours any more. */
    private Mono<Outcome> lost(Claim claim) {
        AtomicLong renewed = new AtomicLong(System.nanoTime());
        return Flux.interval(settings.hold().dividedBy(3))
                .onBackpressureDrop()
                .concatMap(_ -> work.renew(claim, settings.hold())
                        .doOnNext(_ -> renewed.set(System.nanoTime()))
                        .onErrorResume(_ -> Mono.just(System.nanoTime() - renewed.get()
                                < settings.hold().toNanos())))
                .filter(ours -> !ours)
                .next()
                .map(_ -> Outcome.failed("the claim was lost"));
    }

    static String describe(Throwable error) {
        return error instanceof ProblemException problem
                ? String.valueOf(problem.getMessage())
                : error.getClass().getSimpleName();
    }
}
