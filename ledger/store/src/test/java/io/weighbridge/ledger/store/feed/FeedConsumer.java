package io.weighbridge.ledger.store.feed;

import io.weighbridge.wire.FeedEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Keeps what a subscription brings. */
final class FeedConsumer {

    final List<FeedEntry> seen = new ArrayList<>();
    final BlockingQueue<FeedEntry> arriving = new LinkedBlockingQueue<>();
    final CompletableFuture<Object> error = new CompletableFuture<>();

    void await(Predicate<List<FeedEntry>> condition) {
        long deadline = System.nanoTime() + FeedWorld.PATIENCE.toNanos();
        while (!condition.test(all())) {
            if (System.nanoTime() > deadline || error.isCompletedExceptionally()) {
                throw new AssertionError("only " + seen.size() + " entries came; " + error);
            }
            try {
                FeedEntry entry = arriving.poll(100, TimeUnit.MILLISECONDS);
                if (entry != null) {
                    seen.add(entry);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    List<FeedEntry> all() {
        arriving.drainTo(seen);
        return seen;
    }

    List<String> places() {
        return FeedWorld.places(all());
    }
}
