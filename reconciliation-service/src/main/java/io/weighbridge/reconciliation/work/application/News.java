package io.weighbridge.reconciliation.work.application;

import io.weighbridge.wire.FeedEntry;
import reactor.core.publisher.Flux;

/** The ledger's feed (spec 1.9). */
@FunctionalInterface
public interface News {

    /** The entries after a cursor ({@code now}: those to come); FEED_RESET when there is no telling what was missed. */
    Flux<FeedEntry> after(String cursor);
}
