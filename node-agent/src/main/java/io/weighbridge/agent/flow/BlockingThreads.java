package io.weighbridge.agent.flow;

import java.util.concurrent.Callable;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The agent's own bounded threads for everything that touches bytes or disks, so that no event loop waits for them.
 * What waits for a thread is bounded by the requests and transfers in progress. They are never interrupted: an
 * interrupt would close the file that a cancelled caller leaves to the next one.
 */
public final class BlockingThreads implements Disposable {

    private final ThreadPoolExecutor pool;
    private final Scheduler scheduler;

    /** @param count threads at most */
    public BlockingThreads(int count) {
        // All threads from the start and a queue without locks: an event loop that hands work over never waits for one.
        pool = new ThreadPoolExecutor(
                count,
                count,
                0,
                TimeUnit.SECONDS,
                new LinkedTransferQueue<>(),
                Thread.ofPlatform().name("agent-bytes-", 1).daemon().factory());
        pool.prestartAllCoreThreads();
        // From a plain executor: a scheduler made from an executor service interrupts what is cancelled.
        scheduler = Schedulers.fromExecutor(pool::execute, true);
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    /** For clean-up, which is never refused. */
    public void execute(Runnable task) {
        try {
            pool.execute(task);
        } catch (RejectedExecutionException e) {
            Thread.ofVirtual().start(task);
        }
    }

    /** Runs a blocking call on one of the threads; null becomes empty. */
    public <T> Mono<T> call(Callable<? extends T> call) {
        return Mono.<T>fromCallable(call).subscribeOn(scheduler);
    }

    @Override
    public void dispose() {
        scheduler.dispose();
        pool.shutdown();
    }
}
