package io.weighbridge.client.weights;

import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.ledger.problem.ProblemException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Keeps an import from being taken for abandoned, however long one object takes, until it is closed. */
final class ImportHeartbeat implements AutoCloseable {

    private static final long PERIOD_SECONDS = 60;

    private final ScheduledExecutorService beats = Executors.newSingleThreadScheduledExecutor(
            Thread.ofVirtual().name("import-heartbeat").factory());
    private final Future<?> beating;

    ImportHeartbeat(GatewayClient gateway, String revisionId, String importToken) {
        beating = beats.scheduleWithFixedDelay(
                () -> beat(gateway, revisionId, importToken), PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
    }

    /** A refusal is not told here: the next member put meets it and says why. */
    private static void beat(GatewayClient gateway, String revisionId, String importToken) {
        try {
            gateway.heartbeatImport(revisionId, importToken);
        } catch (ProblemException refused) {
            // See above.
        }
    }

    @Override
    public void close() {
        beating.cancel(true);
        beats.shutdownNow();
    }
}
