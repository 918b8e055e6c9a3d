package io.weighbridge.suite.run;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A part as a process of its own, for tests that kill and stop processes. It ends when this process ends. */
public final class ChildProcess implements Part {

    private static final Duration START_LIMIT = Duration.ofSeconds(90);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(8);
    private static final long POLL_MILLIS = 50;

    private final Process process;
    private final String url;

    private ChildProcess(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    /**
     * @param name of the log file and the port file in {@code directory}
     * @param secrets settings that go by the environment: every user of a host can read command lines
     */
    static ChildProcess start(
            Role role, String name, Path directory, List<String> arguments, Map<String, String> secrets) {
        try {
            Path portFile = directory.resolve(name + ".port");
            Files.deleteIfExists(portFile);
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx512m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-Dweighbridge.log=" + directory.resolve(name + ".log"),
                    "-cp",
                    System.getProperty("java.class.path"),
                    ChildProcessMain.class.getName(),
                    role.name(),
                    portFile.toString()));
            command.addAll(arguments);
            ProcessBuilder builder = new ProcessBuilder(command);
            secrets.forEach((property, secret) -> builder.environment().put(variable(property), secret));
            Process process = builder.redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            directory.resolve(name + ".out").toFile()))
                    .start();
            return new ChildProcess(process, "http://127.0.0.1:" + port(process, name, portFile));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
    }

    /** Spring's form of a property's name for the environment. */
    private static String variable(String property) {
        return property.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
    }

    private static String port(Process process, String name, Path portFile) throws IOException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (System.nanoTime() - deadline < 0) {
            if (Files.exists(portFile)) {
                String port = Files.readString(portFile).strip();
                if (!port.isEmpty()) {
                    return port;
                }
            }
            if (hasEnded(process)) {
                throw new IOException(name + " ended with status " + process.exitValue() + " while it started; see "
                        + portFile.resolveSibling(name + ".out"));
            }
        }
        process.destroyForcibly();
        throw new IOException(name + " did not start within " + START_LIMIT.toSeconds() + " s");
    }

    private static boolean hasEnded(Process process) {
        try {
            return process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @Override
    public String url() {
        return url;
    }

    /** The operating system's process, for signals. */
    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** {@code kill -9}. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void close() {
        process.destroy();
        try (OutputStream alive = process.getOutputStream()) {
            if (!process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        } catch (IOException e) {
            // The pipe of a process that has ended.
        }
    }
}
