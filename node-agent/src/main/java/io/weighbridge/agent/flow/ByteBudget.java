package io.weighbridge.agent.flow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/** A number of bytes shared by all who move payload; who finds none left waits in line without holding a thread. */
public final class ByteBudget {

    private final long total;
    private final Deque<Permit> waiting = new ArrayDeque<>();
    private final AtomicInteger granting = new AtomicInteger();
    private long free;

    private enum State {
        UNASKED,
        WAITING,
        GRANTED,
        HELD,
        RETURNED
    }

    /** @param total bytes, at least 1 */
    public ByteBudget(long total) {
        this.total = total;
        this.free = total;
    }

    /** Bytes that nobody holds. */
    public synchronized long free() {
        return free;
    }

    /**
     * Waits for bytes. The receiver calls {@link Permit#hold()} at once, while the permit is handed over, and
     * {@link Permit#close()} at last.
     *
     * @param bytes more than the total counts as the total
     */
    public Mono<Permit> acquire(long bytes) {
        return new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super Permit> receiver) {
                receiver.onSubscribe(new Permit(Math.min(bytes, total), receiver));
            }
        };
    }

    /** By one thread at a time: a receiver that returns its permit at once would otherwise call in circles. */
    private void grant() {
        int calls = granting.getAndIncrement() == 0 ? 1 : 0;
        while (calls > 0) {
            granted().forEach(Permit::handOver);
            calls = granting.addAndGet(-calls);
        }
    }

    private synchronized List<Permit> granted() {
        List<Permit> granted = new ArrayList<>();
        while (!waiting.isEmpty() && waiting.peek().bytes <= free) {
            Permit permit = waiting.remove();
            if (permit.state.compareAndSet(State.WAITING, State.GRANTED)) {
                free -= permit.bytes;
                granted.add(permit);
            }
        }
        return granted;
    }

    private void giveBack(long bytes) {
        synchronized (this) {
            free += bytes;
        }
        grant();
    }

    /** Some bytes of the budget, and the subscription through which they are asked for. */
    public final class Permit implements Subscription, AutoCloseable {

        private final long bytes;
        private final CoreSubscriber<? super Permit> receiver;
        private final AtomicReference<State> state = new AtomicReference<>(State.UNASKED);

        private Permit(long bytes, CoreSubscriber<? super Permit> receiver) {
            this.bytes = bytes;
            this.receiver = receiver;
        }

        /** Confirms that the permit has arrived; one that nobody holds returns by itself. */
        public Permit hold() {
            if (!state.compareAndSet(State.GRANTED, State.HELD)) {
                throw new IllegalStateException("the permit was abandoned");
            }
            return this;
        }

        /** Gives the bytes back, once. */
        @Override
        public void close() {
            if (state.compareAndSet(State.HELD, State.RETURNED)) {
                giveBack(bytes);
            }
        }

        /** Who does not ask yet does not stand in line: what is granted is handed over at once. */
        @Override
        public void request(long count) {
            boolean asked;
            synchronized (ByteBudget.this) {
                asked = state.compareAndSet(State.UNASKED, State.WAITING);
                if (asked) {
                    waiting.add(this);
                }
            }
            if (asked) {
                grant();
            }
        }

        @Override
        public void cancel() {
            boolean left;
            synchronized (ByteBudget.this) {
                left = state.compareAndSet(State.UNASKED, State.RETURNED)
                        || (state.compareAndSet(State.WAITING, State.RETURNED) && waiting.remove(this));
            }
            if (left) {
                grant();
            } else {
                abandon();
            }
        }

        private void handOver() {
            receiver.onNext(this);
            // Whoever stopped waiting in this moment has not held it.
            abandon();
            receiver.onComplete();
        }

        private void abandon() {
            if (state.compareAndSet(State.GRANTED, State.RETURNED)) {
                giveBack(bytes);
            }
        }
    }
}
