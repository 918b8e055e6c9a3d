package io.weighbridge.metadata.idempotency;

import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.metadata.idempotency.postgres.IdempotencyTable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Forgets Idempotency-Keys after 24 hours (spec 1.5). Any number of instances may do it at once. */
final class IdempotencySweep implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(IdempotencySweep.class);
    private static final Duration EVERY = Duration.ofMinutes(10);
    private static final Duration KEPT = Duration.ofHours(24);
    private static final int MOST = 10_000;

    private final Ledger ledger;
    private final IdempotencyTable table;
    private volatile @Nullable Disposable running;

    IdempotencySweep(Ledger ledger, IdempotencyTable table) {
        this.ledger = ledger;
        this.table = table;
    }

    @Override
    public void start() {
        running = Flux.interval(EVERY)
                .onBackpressureDrop()
                .concatMap(tick -> ledger.transact(
                                Guards.none(), tx -> table.forget(tx, tx.now().minus(KEPT), MOST))
                        .onErrorResume(error -> {
                            LOG.warn("old idempotency keys stay until the next sweep: {}", error.toString());
                            return Mono.empty();
                        }))
                .subscribe();
    }

    @Override
    public void stop() {
        Disposable sweep = running;
        if (sweep != null) {
            sweep.dispose();
            running = null;
        }
    }

    @Override
    public boolean isRunning() {
        return running != null;
    }
}
