package io.weighbridge.metadata.object.application;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.metadata.object.postgres.SweepRows;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Makes room by removing unmanaged, unpinned objects, those first that were not used for the longest time (spec 2.6).
 * Space comes back when the bytes are reclaimed, so a put that found none is told NO_SPACE and tries again.
 */
public final class Eviction {

    private static final int BATCH = 500;

    private final Ledger ledger;
    private final Removal removal;
    private final ObjectSettings settings;
    private final SweepRows rows = new SweepRows();
    private final AtomicLong wanted = new AtomicLong();
    private final Counter evicted;

    public Eviction(Ledger ledger, Removal removal, ObjectSettings settings, MeterRegistry metrics) {
        this.ledger = ledger;
        this.removal = removal;
        this.settings = settings;
        this.evicted = Counter.builder("weighbridge.objects.evicted")
                .description("unmanaged objects that were removed to make room")
                .register(metrics);
    }

    /** A put of this many bytes found no room. */
    public void want(long bytes) {
        wanted.accumulateAndGet(bytes, Math::max);
    }

    /** One turn: segments above the high watermark, and room for the largest put that found none. */
    public Mono<Void> turn() {
        long bytes = wanted.getAndSet(0);
        Mono<List<SweepRows.Full>> nearest =
                bytes == 0 ? Mono.just(List.of()) : rows.nearest(ledger.reads()::sql, bytes);
        return rows.full(ledger.reads()::sql, settings.highWatermark(), settings.lowWatermark())
                .flatMapMany(full ->
                        nearest.flatMapMany(more -> Flux.fromIterable(full).concatWith(Flux.fromIterable(more))))
                .concatMap(this::evict)
                .then();
    }

    private Mono<Void> evict(SweepRows.Full full) {
        return rows.leastUsed(ledger.reads()::sql, full.segmentId(), BATCH).flatMap(candidates -> {
            List<String> ids = new ArrayList<>();
            long excess = full.excess();
            for (SweepRows.Candidate candidate : candidates) {
                if (excess <= 0) {
                    break;
                }
                ids.add(candidate.objectId());
                excess -= candidate.size();
            }
            return ids.isEmpty()
                    ? Mono.empty()
                    : removal.remove(ids, false, ObjectSweeps.SUBJECT)
                            .doOnNext(answers -> evicted.increment(answers.stream()
                                    .filter(PutAnswer.Done.class::isInstance)
                                    .count()))
                            .then();
        });
    }
}
