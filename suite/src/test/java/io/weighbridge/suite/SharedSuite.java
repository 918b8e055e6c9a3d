package io.weighbridge.suite;

import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.client.rest.Rest;
import io.weighbridge.suite.run.Readiness;
import io.weighbridge.suite.run.RunningSuite;
import io.weighbridge.suite.run.SuiteSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** One suite in this process for all tests that do not break it. It stops with the virtual machine. */
final class SharedSuite {

    static final Path SAMPLE = Path.of("checkpoints", "sample");

    private static final RunningSuite SUITE = start();

    private SharedSuite() {}

    static RunningSuite get() {
        return SUITE;
    }

    /** A caller without credential: tenant default. */
    static GatewayClient gateway() {
        return new GatewayClient(new Rest(null), SUITE.gatewayUrl());
    }

    private static RunningSuite start() {
        try {
            RunningSuite suite = RunningSuite.start(
                    new SuiteSettings(0, null, 2, false, SuiteSettings.MEMORY_BYTES, List.of()), part -> {});
            Runtime.getRuntime().addShutdownHook(new Thread(suite::close));
            Readiness.await(suite.gatewayUrl(), Duration.ofSeconds(120));
            return suite;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
