package io.weighbridge.ledger.store.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The processes of a PostgreSQL server, found by their working directory, which is the data directory. Unlike the
 * process id in {@code postmaster.pid} it cannot be mistaken for a later process with the same number.
 */
final class ServerProcesses {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private ServerProcesses() {}

    static List<ProcessHandle> of(Path data) {
        return ProcessHandle.allProcesses()
                .filter(process -> worksIn(process, data))
                .toList();
    }

    /** Stops what a killed process has left running, so that its data can be started again. */
    static void stop(Path data) throws IOException {
        List<ProcessHandle> left = of(data);
        Optional<Long> postmaster = postmaster(data);
        for (ProcessHandle process : left) {
            if (postmaster.isPresent() && process.pid() == postmaster.get()) {
                interrupt(process);
            }
        }
        if (!awaitExit(left)) {
            kill(data);
        }
        if (of(data).isEmpty()) {
            Files.deleteIfExists(data.resolve("postmaster.pid"));
        }
    }

    /** Ends the server as a power failure would, and returns when nothing of it is left. */
    static void kill(Path data) {
        List<ProcessHandle> left = of(data);
        left.forEach(ProcessHandle::destroyForcibly);
        awaitExit(left);
    }

    private static boolean worksIn(ProcessHandle process, Path data) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd"))
                    .equals(data);
        } catch (IOException e) {
            // Not ours to look at, or gone.
            return false;
        }
    }

    private static Optional<Long> postmaster(Path data) throws IOException {
        Path file = data.resolve("postmaster.pid");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        return Files.readAllLines(file).stream().findFirst().map(line -> Long.parseLong(line.strip()));
    }

    /** SIGINT is PostgreSQL's fast shutdown; SIGTERM would wait for every client. */
    private static void interrupt(ProcessHandle process) throws IOException {
        try {
            new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean awaitExit(List<ProcessHandle> processes) {
        CompletableFuture<Void> all = CompletableFuture.allOf(
                processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new));
        try {
            all.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
            return false;
        }
    }
}
