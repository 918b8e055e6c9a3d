package io.weighbridge.reconciliation.revision.application;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.reconciliation.revision.postgres.LedgerFigures;
import io.weighbridge.reconciliation.work.application.WorkLoop;
import io.weighbridge.reconciliation.work.postgres.WorkProjection;
import io.weighbridge.wire.ReconcilerStatus;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What the loop measures about itself (spec 1.8), on demand for {@code reconciler/status} and now and then for the
 * metrics. Gauges are NaN until the first count, and when the ledger cannot be asked.
 */
public final class Figures implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Figures.class);
    private static final Duration EVERY = Duration.ofSeconds(15);

    private final LedgerFigures ledger;
    private final WorkProjection work;
    private final WorkLoop loop;
    private volatile @Nullable ReconcilerStatus latest;
    private volatile Disposable counting = Disposables.disposed();

    public Figures(LedgerFigures ledger, WorkProjection work, WorkLoop loop, MeterRegistry metrics) {
        this.ledger = ledger;
        this.work = work;
        this.loop = loop;
        for (Availability availability : Availability.values()) {
            gauge(
                    metrics,
                    "weighbridge.revisions",
                    "availability",
                    availability.name(),
                    status -> status.revisionsByAvailability().getOrDefault(availability.name(), 0L));
        }
        for (Residency residency : Residency.values()) {
            gauge(
                    metrics,
                    "weighbridge.revisions.resident",
                    "residency",
                    residency.name(),
                    status -> status.revisionsByResidency().getOrDefault(residency.name(), 0L));
        }
        gauge(metrics, "weighbridge.leases.active", "kind", "revision", ReconcilerStatus::activeLeases);
        gauge(metrics, "weighbridge.operations", "state", "pending", ReconcilerStatus::pendingOperations);
        gauge(metrics, "weighbridge.operations.oldest.seconds", "state", "pending", Figures::oldestSeconds);
        gauge(metrics, "weighbridge.reconciler.work", "state", "claimed", ReconcilerStatus::claimed);
        gauge(metrics, "weighbridge.reconciler.work", "state", "queued", ReconcilerStatus::queued);
        FunctionCounter.builder("weighbridge.reconciler.failures", loop, WorkLoop::failures)
                .description("looks at revisions that failed")
                .register(metrics);
    }

    /** The counts of now. */
    public Mono<ReconcilerStatus> now() {
        return Mono.zip(ledger.count(), work.counts(), this::status);
    }

    @Override
    public void start() {
        counting = Flux.interval(Duration.ZERO, EVERY)
                .onBackpressureDrop()
                .concatMap(_ -> now().doOnNext(status -> latest = status).onErrorResume(this::unknown), 1)
                .subscribe();
    }

    @Override
    public void stop() {
        counting.dispose();
    }

    @Override
    public boolean isRunning() {
        return !counting.isDisposed();
    }

    private Mono<ReconcilerStatus> unknown(Throwable error) {
        LOG.warn("cannot count: {}", error.getMessage());
        latest = null;
        return Mono.empty();
    }

    private ReconcilerStatus status(LedgerFigures.Counts counts, WorkProjection.Counts works) {
        return new ReconcilerStatus(
                names(counts.byAvailability()),
                names(counts.byResidency()),
                counts.activeLeases(),
                counts.pendingOperations(),
                counts.oldestOperationAgeMs(),
                loop.failures(),
                works.claimed(),
                works.queued());
    }

    private static <E extends Enum<E>> Map<String, Long> names(Map<E, Long> counts) {
        Map<String, Long> names = new TreeMap<>();
        counts.forEach((name, count) -> names.put(name.name(), count));
        return names;
    }

    private static double oldestSeconds(ReconcilerStatus status) {
        Long age = status.oldestOperationAgeMs();
        return age == null ? 0 : age / 1000.0;
    }

    private void gauge(
            MeterRegistry metrics, String name, String tag, String value, ToDoubleFunction<ReconcilerStatus> figure) {
        Gauge.builder(name, this, figures -> {
                    ReconcilerStatus status = figures.latest;
                    return status == null ? Double.NaN : figure.applyAsDouble(status);
                })
                .tag(tag, value)
                .register(metrics);
    }
}
