package io.weighbridge.ledger.store.feed;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Result;
import io.weighbridge.ledger.store.CommitListener;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Tells the pollers of all instances that something was committed: after the commit, on a connection of its own, at
 * most once per 5 ms. Inside the transaction it would serialise all commits. A lost notification costs a quarter of a
 * second, since it is only a hint.
 */
public final class FeedNotifier implements CommitListener, AutoCloseable {

    static final String CHANNEL = "ledger_feed";

    private static final Logger LOG = LoggerFactory.getLogger(FeedNotifier.class);
    private static final long SPACING_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long AFTER_FAILURE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final Duration LIMIT = Duration.ofSeconds(2);

    private enum State {
        IDLE,
        /** A notification is due, or under way. */
        BUSY,
        /** And something was committed since it was sent. */
        AGAIN,
        CLOSED
    }

    private final ConnectionFactory connections;
    private final Scheduler scheduler = Schedulers.parallel();
    private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);

    /** Written only by the one notification that is under way. */
    private volatile @Nullable Connection connection;

    private volatile long earliest = System.nanoTime();

    /** @param connections outside any pool */
    public FeedNotifier(ConnectionFactory connections) {
        this.connections = connections;
    }

    @Override
    public void committed() {
        State before = state.getAndUpdate(now -> switch (now) {
            case IDLE -> State.BUSY;
            case BUSY, AGAIN -> State.AGAIN;
            case CLOSED -> State.CLOSED;
        });
        if (before == State.IDLE) {
            schedule();
        }
    }

    private void schedule() {
        long delay = Math.max(0, earliest - System.nanoTime());
        scheduler.schedule(this::send, delay, TimeUnit.NANOSECONDS);
    }

    private void send() {
        // What was committed up to here is covered by the notification that follows.
        state.compareAndSet(State.AGAIN, State.BUSY);
        connected()
                .flatMapMany(open -> open.createStatement("NOTIFY " + CHANNEL).execute())
                .concatMap(Result::getRowsUpdated)
                .then()
                .timeout(LIMIT)
                .subscribe(
                        nothing -> {},
                        error -> {
                            LOG.debug("a notification was lost: {}", error.toString());
                            dropConnection();
                            sent(AFTER_FAILURE_NS);
                        },
                        () -> sent(SPACING_NS));
    }

    private Mono<Connection> connected() {
        Connection open = connection;
        return open != null
                ? Mono.just(open)
                : Mono.<Connection>from(connections.create()).doOnNext(made -> connection = made);
    }

    private void sent(long spacing) {
        earliest = System.nanoTime() + spacing;
        State before = state.getAndUpdate(now -> switch (now) {
            case IDLE, BUSY -> State.IDLE;
            case AGAIN -> State.BUSY;
            case CLOSED -> State.CLOSED;
        });
        if (before == State.AGAIN) {
            schedule();
        }
        if (before == State.CLOSED) {
            dropConnection();
        }
    }

    private void dropConnection() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            Mono.from(open.close()).timeout(LIMIT).onErrorComplete().subscribe();
        }
    }

    @Override
    public void close() {
        if (state.getAndSet(State.CLOSED) == State.IDLE) {
            dropConnection();
        }
    }
}
