package io.weighbridge.ledger.store.feed;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.feed.FeedScan.Entry;
import io.weighbridge.wire.FeedEntry;
import io.weighbridge.wire.FeedPage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The committed changes of the ledger in feed order, each once and without gaps (spec 1.9). The order is not that of
 * wall clocks: a consumer applies an entry only if its entity version is newer than what it has.
 *
 * <p>A cursor is {@code start} (the oldest entry there is), {@code now}, or the opaque text of an entry or page. One of
 * an earlier ledger epoch, or one whose following entries have been dropped, is refused with FEED_RESET.
 */
public final class Feed implements AutoCloseable {

    /** The most entries of a page. */
    public static final int MAX_PAGE = 1000;

    private static final String FROM_START = "start";
    private static final String FROM_NOW = "now";
    private static final int SCAN = 2000;
    private static final int BUFFER = 4096;
    private static final int MAX_SUBSCRIBERS = 1024;
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final ConnectionFactory reads;
    private final FeedReader reader = new FeedReader();
    private final FeedPoller poller;
    private final int buffer;
    private final AtomicInteger subscribers = new AtomicInteger();

    /**
     * @param reads a pool, for pages
     * @param dedicated outside any pool, for the poller, which listens
     */
    public Feed(ConnectionFactory reads, ConnectionFactory dedicated) {
        this(reads, dedicated, BUFFER);
    }

    /** @param buffer how many entries a subscriber may be behind the poller */
    Feed(ConnectionFactory reads, ConnectionFactory dedicated, int buffer) {
        this.reads = reads;
        this.poller = new FeedPoller(dedicated, reader);
        this.buffer = buffer;
    }

    /**
     * Up to {@code limit} entries after a cursor. With a filter a page may hold fewer, even none, although more follow:
     * the end is reached when the next cursor equals the one asked for.
     *
     * @param limit 1 to {@link #MAX_PAGE}
     */
    public Mono<FeedPage> page(String cursor, int limit, FeedFilter filter) {
        if (limit < 1 || limit > MAX_PAGE) {
            return Mono.error(new ProblemException(Problem.invalid("limit", "is not within 1.." + MAX_PAGE)));
        }
        return begin(cursor)
                .flatMap(place -> place.atWatermark()
                        ? Mono.just(new FeedPage(List.of(), place.cursor().text()))
                        : scan(place, limit, filter).map(scan -> page(place, scan)));
    }

    /**
     * All entries after a cursor, and then those to come. It never completes.
     *
     * @return errors: FEED_RESET, INVALID_ARGUMENT, UNAVAILABLE; BUSY for a subscriber that is slower than the feed,
     *     after the entries it has been sent: it resumes from the last of them
     */
    public Flux<FeedEntry> subscribe(String cursor, FeedFilter filter) {
        return Flux.usingWhen(
                Mono.fromCallable(this::enter),
                ticket -> begin(cursor).flatMapMany(place -> new Follower(place, filter).entries()),
                ticket -> Mono.fromRunnable(subscribers::decrementAndGet));
    }

    /** The cursor of this moment: a list read after it, and then the feed from it, miss nothing. */
    public Mono<String> now() {
        return begin(FROM_NOW).map(place -> place.cursor().text());
    }

    /** For how long one transaction has been holding the feed back; zero while it flows, or nobody listens. */
    public Duration watermarkAge() {
        return poller.watermarkAge();
    }

    @Override
    public void close() {
        poller.close();
    }

    private int enter() {
        int count = subscribers.incrementAndGet();
        if (count > MAX_SUBSCRIBERS) {
            subscribers.decrementAndGet();
            throw new ProblemException(ProblemCode.RATE_LIMITED, "this instance has all the subscribers it takes");
        }
        return count;
    }

    /**
     * Where a consumer stands.
     *
     * @param cursor its position, and the epoch in which it holds
     * @param atWatermark nothing is after it yet
     */
    private record Place(FeedCursor cursor, boolean atWatermark) {

        FeedPosition position() {
            return cursor.position();
        }

        Place movedTo(FeedPosition position) {
            return new Place(new FeedCursor(cursor.issuedIn(), position), false);
        }
    }

    private Mono<Place> begin(String cursor) {
        if (cursor.equals(FROM_START) || cursor.equals(FROM_NOW)) {
            return read(reader::clock)
                    .map(clock -> cursor.equals(FROM_START)
                            ? new Place(new FeedCursor(clock.epoch(), clock.horizon()), false)
                            : new Place(new FeedCursor(clock.epoch(), clock.watermark()), true));
        }
        return Mono.fromCallable(() -> new Place(FeedCursor.parse(cursor), false));
    }

    private Mono<FeedScan> scan(Place place, int limit, FeedFilter filter) {
        int scanLimit = filter.equals(FeedFilter.all()) ? limit : Math.max(SCAN, limit);
        return read(connection -> reader.scan(connection, place.position(), scanLimit, limit, filter))
                .doOnNext(scan -> scan.clock().require(place.cursor()));
    }

    private <T> Mono<T> read(Function<Connection, Mono<T>> work) {
        return Mono.usingWhen(reads.create(), work, Connection::close)
                .timeout(LIMIT)
                .onErrorMap(Ledger::readError);
    }

    private static FeedPage page(Place place, FeedScan scan) {
        FeedPosition scannedTo = scan.scannedTo();
        FeedCursor next =
                scannedTo == null ? place.cursor() : place.movedTo(scannedTo).cursor();
        return new FeedPage(scan.entries().stream().map(Entry::body).toList(), next.text());
    }

    /** A subscriber's way: pages until it has caught up, then the poller's entries, with the seam between them. */
    private final class Follower {

        private final FeedFilter filter;
        private Place place;
        private boolean caughtUp;

        Follower(Place place, FeedFilter filter) {
            this.place = place;
            this.filter = filter;
            this.caughtUp = place.atWatermark();
        }

        Flux<FeedEntry> entries() {
            return history(() -> !caughtUp).concatWith(Flux.defer(this::live));
        }

        /** Reads on as long as there is need; not a page more than the subscriber asks for. */
        private Flux<FeedEntry> history(BooleanSupplier goOn) {
            return Flux.defer(() ->
                            goOn.getAsBoolean() ? scan(place, MAX_PAGE, filter).flux() : Flux.empty())
                    .doOnNext(scan -> {
                        place = place.movedTo(scan.next(place.position()));
                        caughtUp = scan.complete();
                    })
                    .concatMapIterable(FeedScan::entries, 1)
                    .map(Entry::body)
                    .repeat(goOn);
        }

        private Flux<FeedEntry> live() {
            FeedMember member = new FeedMember(filter, buffer);
            return Flux.usingWhen(
                    Mono.fromSupplier(() -> {
                        poller.join(member);
                        return member;
                    }),
                    joined -> joined.admission()
                            .timeout(
                                    LIMIT,
                                    Mono.error(() -> new ProblemException(
                                            ProblemCode.UNAVAILABLE, "the feed cannot reach the ledger now")))
                            .flatMapMany(from -> seam(from).concatWith(rest(joined))),
                    joined -> Mono.fromRunnable(joined::leave));
        }

        /** The poller may have begun after what this subscriber has read: the entries in between come from pages. */
        private Flux<FeedEntry> seam(FeedPosition from) {
            if (from.epoch() != place.cursor().issuedIn()) {
                return Flux.error(FeedScan.reset("the ledger was restored or failed over while you were listening"));
            }
            return history(() -> place.position().isBefore(from));
        }

        /** And it may have begun before: what was read already is passed over. */
        private Flux<FeedEntry> rest(FeedMember member) {
            return Flux.defer(() -> {
                FeedPosition read = place.position();
                return member.entries()
                        .filter(entry -> read.isBefore(entry.position()))
                        .map(Entry::body)
                        .publishOn(Schedulers.parallel(), Math.min(buffer, 256));
            });
        }
    }
}
