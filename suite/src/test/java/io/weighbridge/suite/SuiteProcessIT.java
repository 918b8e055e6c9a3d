package io.weighbridge.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: the suite command becomes ready, and SIGTERM stops everything it started, PostgreSQL included, within 20 s. */
class SuiteProcessIT {

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void startsAndStops(boolean processes, @TempDir Path temporary) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                Weighbridge.class.getName(),
                "suite",
                "--port",
                "0"));
        if (processes) {
            command.add("--processes");
        }
        Process suite = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(suite.getInputStream(), StandardCharsets.UTF_8))) {
            String ready = CompletableFuture.supplyAsync(() -> out.lines()
                            .filter(line -> line.startsWith("Weighbridge is ready at "))
                            .findFirst()
                            .orElse("it ended"))
                    .get(120, TimeUnit.SECONDS);
            assertThat(ready).contains("http://");
            assertThat(status(ready.replaceFirst(".* ", "") + "/readyz")).isEqualTo(200);
            List<ProcessHandle> started = processesOf(temporary);
            // The suite itself and PostgreSQL, and a process for each of the six parts.
            assertThat(started).hasSizeGreaterThanOrEqualTo(processes ? 8 : 2);

            suite.destroy();
            assertThat(suite.waitFor(20, TimeUnit.SECONDS)).isTrue();
            for (ProcessHandle process : started) {
                process.onExit().get(5, TimeUnit.SECONDS);
            }
        } finally {
            suite.destroyForcibly();
        }
        try (var left = Files.list(temporary)) {
            assertThat(left.filter(file -> file.getFileName().toString().startsWith("weighbridge-")))
                    .as("the temporary home is gone")
                    .isEmpty();
        }
    }

    /** All that name the temporary directory on their command lines; PostgreSQL is no child of ours. */
    private static List<ProcessHandle> processesOf(Path temporary) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(temporary.toString()))
                .toList();
    }

    private static int status(String url) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                    .timeout(Duration.ofSeconds(5))
                    .build();
            return http.send(request, BodyHandlers.discarding()).statusCode();
        }
    }
}
