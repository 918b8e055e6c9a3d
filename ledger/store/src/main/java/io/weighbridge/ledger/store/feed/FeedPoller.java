package io.weighbridge.ledger.store.feed;

import io.r2dbc.postgresql.api.PostgresqlConnection;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Result;
import io.weighbridge.ledger.store.feed.FeedScan.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.retry.Retry;

/**
 * The one poller of an instance. It looks every 250 ms, and at once when notified, on a connection of its own, and
 * hands what is new to its members. It runs only while there are members, and one look at an idle ledger is a statement
 * that touches no table of entries.
 *
 * <p>All its steps run one after the other, so its fields need no locks; only starting and stopping do.
 */
final class FeedPoller implements AutoCloseable {

    static final Duration PERIOD = Duration.ofMillis(250);
    static final int BATCH = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(FeedPoller.class);
    private static final Duration STATEMENT_LIMIT = Duration.ofSeconds(5);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    /** Between two looks that notifications asked for, so that a busy ledger is not asked more often than useful. */
    private static final Duration PAUSE = Duration.ofMillis(5);

    private enum Why {
        POLL,
        WAKE
    }

    private final ConnectionFactory connections;
    private final FeedReader reader;
    private final ConcurrentLinkedQueue<FeedMember> waiting = new ConcurrentLinkedQueue<>();
    private final List<FeedMember> members = new ArrayList<>();
    private final Sinks.Many<Why> wakes = Sinks.many().multicast().directBestEffort();
    private @Nullable Disposable running;
    private @Nullable FeedPosition position;
    private String seenSnapshot = "";
    private volatile long heldXmin;
    private volatile long heldSince;

    /** @param connections outside any pool, since a connection that listens is not to be shared */
    FeedPoller(ConnectionFactory connections, FeedReader reader) {
        this.connections = connections;
        this.reader = reader;
    }

    /** Lets a subscriber in with the next step, which is at once. */
    void join(FeedMember member) {
        synchronized (this) {
            waiting.add(member);
            if (running == null) {
                running = run().subscribe();
            }
        }
        wakes.tryEmitNext(Why.WAKE);
    }

    /** For how long one transaction has been holding the watermark; zero while it moves, or nobody listens. */
    Duration watermarkAge() {
        long since = heldSince;
        return since == 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - since);
    }

    @Override
    public synchronized void close() {
        if (running != null) {
            running.dispose();
            running = null;
        }
    }

    private Flux<Boolean> run() {
        return Flux.usingWhen(
                        connections.create(),
                        this::steps,
                        FeedPoller::quietly,
                        (connection, error) -> quietly(connection),
                        FeedPoller::quietly)
                .doOnError(error -> LOG.warn("the feed lost its connection and tries again: {}", error.toString()))
                .retryWhen(Retry.backoff(Long.MAX_VALUE, PERIOD)
                        .maxBackoff(STATEMENT_LIMIT)
                        .transientErrors(true));
    }

    private Flux<Boolean> steps(Connection connection) {
        Flux<Why> notified =
                ((PostgresqlConnection) connection).getNotifications().map(note -> Why.WAKE);
        Flux<Why> signals = Flux.merge(
                        Flux.interval(Duration.ZERO, PERIOD).map(tick -> Why.POLL), notified, wakes.asFlux())
                .onBackpressureLatest();
        return Flux.from(connection
                        .createStatement("LISTEN " + FeedNotifier.CHANNEL)
                        .execute())
                .concatMap(Result::getRowsUpdated)
                .timeout(STATEMENT_LIMIT)
                .thenMany(signals)
                .concatMap(why -> step(connection, why), 0)
                .takeWhile(goOn -> goOn);
    }

    private Mono<Boolean> step(Connection connection, Why why) {
        Mono<Boolean> look = reader.clock(connection).timeout(STATEMENT_LIMIT).flatMap(clock -> {
            observe(clock);
            return clock.snapshot().equals(seenSnapshot) ? Mono.just(true) : drain(connection);
        });
        return look.map(seen -> admit()).delayUntil(goOn -> why == Why.WAKE ? Mono.delay(PAUSE) : Mono.empty());
    }

    /** Learns the time. The first time decides where the live feed begins; a new epoch ends it for everybody. */
    private void observe(Clock clock) {
        if (position != null && position.epoch() != clock.epoch()) {
            LOG.warn("the ledger's epoch has moved: all subscribers start again");
            members.forEach(member ->
                    member.fail(FeedScan.reset("the ledger was restored or failed over while you were listening")));
            members.clear();
            position = null;
        }
        if (position == null) {
            position = clock.watermark();
            seenSnapshot = clock.snapshot();
        }
        if (!clock.isHeld()) {
            heldSince = 0;
        } else if (heldSince == 0 || heldXmin != clock.xmin()) {
            heldXmin = clock.xmin();
            heldSince = System.nanoTime();
        }
    }

    private Mono<Boolean> drain(Connection connection) {
        return Mono.defer(() -> scan(connection))
                .repeat()
                .takeUntil(complete -> complete)
                .last();
    }

    private Mono<Boolean> scan(Connection connection) {
        FeedPosition from = position;
        if (from == null) {
            return Mono.just(true);
        }
        return reader.scan(connection, from, BATCH, BATCH, FeedFilter.all())
                .timeout(STATEMENT_LIMIT)
                .map(scan -> {
                    if (scan.clock().epoch() != from.epoch()) {
                        return true;
                    }
                    for (FeedScan.Entry entry : scan.entries()) {
                        members.forEach(member -> member.offer(entry));
                    }
                    position = scan.next(from);
                    if (scan.complete()) {
                        seenSnapshot = scan.clock().snapshot();
                    }
                    return scan.complete();
                });
    }

    /** Takes leave of those who left, lets the waiting in, and stops when nobody is there. */
    private boolean admit() {
        members.removeIf(FeedMember::isGone);
        FeedPosition from = position;
        FeedMember member = from == null ? null : waiting.poll();
        while (from != null && member != null) {
            if (!member.isGone()) {
                members.add(member);
                member.admit(from);
            }
            member = waiting.poll();
        }
        return !members.isEmpty() || !stopIfUnused();
    }

    private synchronized boolean stopIfUnused() {
        if (!waiting.isEmpty()) {
            return false;
        }
        running = null;
        position = null;
        heldSince = 0;
        return true;
    }

    private static Mono<Void> quietly(Connection connection) {
        return Mono.from(connection.close()).timeout(CLOSE_LIMIT).onErrorComplete();
    }
}
