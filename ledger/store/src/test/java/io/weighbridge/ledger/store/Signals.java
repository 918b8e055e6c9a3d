package io.weighbridge.ledger.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.store.embedded.EmbeddedPostgresql;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Stops a server without ending it: its connections stay open and nobody answers on them. */
public final class Signals {

    private Signals() {}

    /** Until none of its processes runs: workers come and go while the signals are on their way. */
    public static List<ProcessHandle> stop(EmbeddedPostgresql server) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        List<ProcessHandle> processes = server.processes();
        do {
            assertThat(System.nanoTime() - deadline)
                    .as("not stopped: %s", processes)
                    .isNegative();
            signal("STOP", processes);
            processes = server.processes();
        } while (!processes.stream().allMatch(Signals::isStopped));
        return processes;
    }

    /** Lets stopped processes run on. */
    public static void resume(List<ProcessHandle> processes) throws IOException, InterruptedException {
        signal("CONT", processes);
    }

    /** Stopped, or ended and not yet noticed by its stopped parent, or gone. */
    private static boolean isStopped(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return stat.contains(") T ") || stat.contains(") Z ");
        } catch (IOException e) {
            return true;
        }
    }

    private static void signal(String name, List<ProcessHandle> processes) throws IOException, InterruptedException {
        for (ProcessHandle process : processes) {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        }
    }
}
