package io.weighbridge.lease.config;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Runs the service's periodic tasks. Every instance does; each task finds done what another has done. */
final class Housekeeping implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);

    /** @param run tells how many things it did */
    record Task(String name, Duration every, Supplier<Mono<Long>> run) {}

    private final List<Task> tasks;
    private Disposable.Composite running = Disposables.composite();

    Housekeeping(List<Task> tasks) {
        this.tasks = List.copyOf(tasks);
        running.dispose();
    }

    @Override
    public synchronized void start() {
        if (isRunning()) {
            return;
        }
        running = Disposables.composite();
        tasks.forEach(task -> running.add(Flux.interval(task.every())
                .onBackpressureDrop()
                .concatMap(tick -> once(task))
                .subscribe()));
    }

    @Override
    public synchronized void stop() {
        running.dispose();
    }

    @Override
    public synchronized boolean isRunning() {
        return !running.isDisposed();
    }

    private static Mono<Void> once(Task task) {
        return Mono.defer(task.run())
                .doOnNext(done -> {
                    if (done > 0) {
                        LOG.info("{}: {}", task.name(), done);
                    }
                })
                .onErrorResume(error -> {
                    LOG.warn("{} failed; next try in {}: {}", task.name(), task.every(), error.toString());
                    return Mono.empty();
                })
                .then();
    }
}
