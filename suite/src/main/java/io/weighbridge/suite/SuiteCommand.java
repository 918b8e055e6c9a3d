package io.weighbridge.suite;

import io.weighbridge.suite.run.Readiness;
import io.weighbridge.suite.run.RunningSuite;
import io.weighbridge.suite.run.SuiteSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the whole suite until it is told to stop. */
@Command(
        name = "suite",
        mixinStandardHelpOptions = true,
        description = "Run the whole suite on this host until interrupted: PostgreSQL, services, node agents, gateway.")
final class SuiteCommand implements Callable<Integer> {

    private static final Duration READY_LIMIT = Duration.ofMinutes(2);

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "8080",
            description = "The gateway's port, 0 for a free one (default: 8080).")
    private int port;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Keep everything here (default: a temporary directory, gone at the stop).")
    private @Nullable Path data;

    @Option(names = "--nodes", paramLabel = "N", defaultValue = "2", description = "Node agents (default: 2).")
    private int nodes;

    @Option(names = "--processes", description = "Each service and agent as a process of its own.")
    private boolean processes;

    @Option(names = "--set", paramLabel = "NAME=VALUE", description = "A further setting for every service.")
    private List<String> settings = List.of();

    @Override
    public Integer call() throws Exception {
        SuiteSettings suiteSettings =
                new SuiteSettings(port, data, nodes, processes, SuiteSettings.MEMORY_BYTES, settings);
        RunningSuite suite = Stoppable.start(suiteSettings, part -> System.err.println("starting " + part + " ..."));
        Readiness.await(suite.gatewayUrl(), READY_LIMIT);
        System.out.println("Weighbridge is ready at " + suite.gatewayUrl());
        System.out.flush();
        new CountDownLatch(1).await();
        return 0;
    }
}
