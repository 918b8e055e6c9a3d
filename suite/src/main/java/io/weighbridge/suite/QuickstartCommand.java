package io.weighbridge.suite;

import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.client.rest.Rest;
import io.weighbridge.client.terminal.ProgressBars;
import io.weighbridge.manifest.safetensors.Checkpoint;
import io.weighbridge.suite.run.Readiness;
import io.weighbridge.suite.run.RunningSuite;
import io.weighbridge.suite.run.SuiteSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The main job, start to end, on this host. */
@Command(
        name = "quickstart",
        mixinStandardHelpOptions = true,
        description =
                "Start the suite with two node agents, take a real checkpoint through its whole life, check each step.")
final class QuickstartCommand implements Callable<Integer> {

    private static final Duration READY_LIMIT = Duration.ofMinutes(2);

    @Parameters(
            arity = "0..1",
            paramLabel = "DIR",
            description = "A safetensors checkpoint (default: a small real one that ships with the project).")
    private @Nullable Path directory;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "0",
            description = "The gateway's port (default: a free one).")
    private int port;

    @Option(
            names = "--object-mib",
            paramLabel = "N",
            defaultValue = "256",
            description = "How large objects shall become (default: 256).")
    private long objectMib;

    @Option(names = "--keep", description = "Leave the suite running at the end.")
    private boolean keep;

    @Override
    public Integer call() throws InterruptedException {
        long started = System.nanoTime();
        try {
            return run(started);
        } catch (IOException | RuntimeException e) {
            System.out.println("FAILED " + (e.getMessage() == null ? e : e.getMessage()));
            return 1;
        }
    }

    private int run(long started) throws IOException, InterruptedException {
        Path files = checkpoint();
        RunningSuite suite = Stoppable.start(
                new SuiteSettings(port, null, 2, false, memoryFor(files), List.of()),
                part -> System.err.println("starting " + part + " ..."));
        Readiness.await(suite.gatewayUrl(), READY_LIMIT);
        System.err.println("The suite is ready at " + suite.gatewayUrl());
        GatewayClient gateway = new GatewayClient(new Rest(null), suite.gatewayUrl());
        QuickstartStory story = new QuickstartStory(gateway, files, objectMib << 20, new ProgressBars());
        boolean passed = story.tell(System.err::println);
        System.out.println(story.table());
        if (keep && passed) {
            System.out.println("The suite goes on until interrupted; the dashboard: " + suite.gatewayUrl());
            System.out.println(story.outcome(started));
            System.out.flush();
            new CountDownLatch(1).await();
        }
        suite.close();
        System.out.println(story.outcome(started));
        return passed ? 0 : 1;
    }

    /** Room for the whole checkpoint with some to spare, in each agent's memory. */
    private static long memoryFor(Path checkpoint) throws IOException {
        long bytes = 0;
        for (Path file : Checkpoint.open(checkpoint).files()) {
            bytes += Files.size(file);
        }
        return Math.max(SuiteSettings.MEMORY_BYTES, bytes + bytes / 4);
    }

    private Path checkpoint() {
        if (directory != null) {
            return directory;
        }
        return Path.of(System.getProperty("weighbridge.home", "."), "suite", "checkpoints", "sample");
    }
}
