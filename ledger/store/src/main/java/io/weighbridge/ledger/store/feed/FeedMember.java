package io.weighbridge.ledger.store.feed;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.store.feed.FeedScan.Entry;
import java.util.concurrent.ArrayBlockingQueue;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * One subscriber as the poller sees it: a bounded buffer. One that is too slow loses its place, not the others their
 * memory; it gets what is buffered, then an error, and resumes from the last cursor it has seen.
 */
final class FeedMember {

    private final FeedFilter.Accepts filter;
    private final Sinks.Many<Entry> buffer;
    private final Sinks.One<FeedPosition> admission = Sinks.one();
    private volatile boolean gone;

    FeedMember(FeedFilter filter, int capacity) {
        this.filter = filter.accepts();
        this.buffer = Sinks.many().unicast().onBackpressureBuffer(new ArrayBlockingQueue<>(capacity));
    }

    /** From which position on the entries arrive. */
    Mono<FeedPosition> admission() {
        return admission.asMono();
    }

    Flux<Entry> entries() {
        return buffer.asFlux();
    }

    void leave() {
        gone = true;
    }

    boolean isGone() {
        return gone;
    }

    /** Called by the poller only, one call at a time, like the following ones. */
    void admit(FeedPosition position) {
        admission.tryEmitValue(position);
    }

    void offer(Entry entry) {
        if (gone || !filter.test(entry.body())) {
            return;
        }
        Sinks.EmitResult result = buffer.tryEmitNext(entry);
        if (result == Sinks.EmitResult.FAIL_OVERFLOW) {
            fail(new ProblemException(
                    ProblemCode.BUSY, "this subscriber is slower than the feed; resume from the last cursor"));
        } else if (result.isFailure()) {
            gone = true;
        }
    }

    void fail(Throwable error) {
        gone = true;
        buffer.tryEmitError(error);
        admission.tryEmitError(error);
    }
}
