package io.weighbridge.ledger.store.migrate;

import io.weighbridge.ledger.store.migrate.SchemaCheck.UnfitLedgerException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.util.retry.Retry;

/**
 * The first thing a service does: it verifies the ledger, before it listens to anybody, and begins to keep the oplog's
 * days. A ledger that cannot be reached yet is waited for; an unfit one ends the start.
 */
final class LedgerStart implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(LedgerStart.class);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final SchemaCheck check;
    private final DaysKeeper days;
    private volatile boolean running;

    LedgerStart(SchemaCheck check, DaysKeeper days) {
        this.check = check;
        this.days = days;
    }

    @Override
    public void start() {
        // The thread that starts the application has nothing else to do.
        check.verify()
                .retryWhen(Retry.backoff(Long.MAX_VALUE, Duration.ofMillis(500))
                        .maxBackoff(Duration.ofSeconds(2))
                        .filter(error -> !(error instanceof UnfitLedgerException))
                        .doBeforeRetry(retry -> LOG.warn(
                                "waiting for the ledger: {}", retry.failure().toString())))
                .block(PATIENCE);
        days.start();
        running = true;
    }

    @Override
    public void stop() {
        days.close();
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Before everything else that starts, the web server above all. */
    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }
}
