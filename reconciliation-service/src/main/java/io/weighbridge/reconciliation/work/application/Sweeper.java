package io.weighbridge.reconciliation.work.application;

import io.weighbridge.reconciliation.work.postgres.WorkProjection;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Wakes every revision of the inventory: now and then, when a node has come or gone, and when the feed was lost. */
public final class Sweeper implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);

    /** Between two sweeps that were asked for: when a rack dies, its nodes die one by one. */
    private static final Duration GATHER = Duration.ofMillis(200);

    private final Inventory inventory;
    private final WorkProjection work;
    private final WorkLoop loop;
    private final Duration every;
    private final Sinks.Many<Duration> asked = Sinks.many().multicast().directBestEffort();
    private volatile Disposable sweeping = Disposables.disposed();

    /** @param every between regular sweeps; their looks are spread over it, so that news find short queues */
    public Sweeper(Inventory inventory, WorkProjection work, WorkLoop loop, Duration every) {
        this.inventory = inventory;
        this.work = work;
        this.loop = loop;
        this.every = every;
    }

    /** Something has happened that may concern any revision. */
    public void soon() {
        asked.tryEmitNext(Duration.ZERO);
    }

    @Override
    public void start() {
        Flux<Duration> regular = Flux.interval(Duration.ZERO, every).map(_ -> every);
        sweeping = Flux.merge(regular, asked.asFlux())
                .onBackpressureLatest()
                .concatMap(spread -> Mono.delay(GATHER).then(sweep(spread)), 1)
                .subscribe();
    }

    @Override
    public void stop() {
        sweeping.dispose();
    }

    @Override
    public boolean isRunning() {
        return !sweeping.isDisposed();
    }

    private Mono<Void> sweep(Duration spread) {
        return inventory
                .pages()
                .concatMap(page -> work.wake(page, spread), 1)
                .then(Mono.fromRunnable(loop::hint))
                .onErrorResume(error -> {
                    LOG.warn("the sweep failed: {}", WorkLoop.describe(error));
                    return Mono.empty();
                })
                .then();
    }
}
