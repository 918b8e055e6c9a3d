package io.weighbridge.metadata.revision.application;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.store.feed.Feed;
import io.weighbridge.ledger.store.feed.FeedFilter;
import java.time.Duration;
import java.util.function.Predicate;
import reactor.core.publisher.Mono;

/** Long polls: looks again when the feed tells of the revision, and not before. */
public final class Awaiting {

    private final Feed feed;

    public Awaiting(Feed feed) {
        this.feed = feed;
    }

    /**
     * Reads until the value is as wanted or the time is over.
     *
     * @param read one fresh read per subscription
     * @param wait zero: reads once
     * @return the last value read; empty when there is nothing to read
     */
    public <T> Mono<T> until(RevisionId revision, Mono<T> read, Predicate<T> wanted, Duration wait) {
        if (wait.isZero()) {
            return read;
        }
        // The cursor is taken before the first read, so that no change falls between the two.
        return feed.now()
                .flatMap(cursor -> read.flatMap(first -> wanted.test(first)
                        ? Mono.just(first)
                        : feed.subscribe(cursor, FeedFilter.all().ofRevision(revision.hex()))
                                .onBackpressureLatest()
                                .concatMap(entry -> read, 1)
                                .filter(wanted)
                                .next()
                                .timeout(wait, read)));
    }
}
