package io.weighbridge.agent.flow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** A number of bytes shared by all who move payload; who finds none left waits in line without holding a thread. */
public final class ByteBudget {

    private final long total;
    private final Deque<Permit> waiting = new ArrayDeque<>();
    private long free;

    private enum State {
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
     * Waits for bytes. The receiver must call {@link Permit#hold()} at once and {@link Permit#close()} at last.
     *
     * @param bytes more than the total counts as the total
     */
    public Mono<Permit> acquire(long bytes) {
        return Mono.create(sink -> {
            Permit permit = new Permit(Math.min(bytes, total), sink);
            sink.onCancel(permit::abandon);
            synchronized (this) {
                waiting.add(permit);
            }
            grant();
        });
    }

    private void grant() {
        List<Permit> granted = new ArrayList<>();
        synchronized (this) {
            while (!waiting.isEmpty() && waiting.peek().bytes <= free) {
                Permit permit = waiting.remove();
                if (permit.state.compareAndSet(State.WAITING, State.GRANTED)) {
                    free -= permit.bytes;
                    granted.add(permit);
                }
            }
        }
        granted.forEach(permit -> permit.sink.success(permit));
    }

    private void giveBack(long bytes) {
        synchronized (this) {
            free += bytes;
        }
        grant();
    }

    /** Some bytes of the budget. */
    public final class Permit implements AutoCloseable {

        private final long bytes;
        private final MonoSink<Permit> sink;
        private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

        private Permit(long bytes, MonoSink<Permit> sink) {
            this.bytes = bytes;
            this.sink = sink;
        }

        /** Confirms that the permit has arrived; one that nobody confirms before cancelling returns by itself. */
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

        private void abandon() {
            if (state.compareAndSet(State.GRANTED, State.RETURNED)) {
                giveBack(bytes);
            } else if (state.compareAndSet(State.WAITING, State.RETURNED)) {
                synchronized (ByteBudget.this) {
                    waiting.remove(this);
                }
                grant();
            }
        }
    }
}
