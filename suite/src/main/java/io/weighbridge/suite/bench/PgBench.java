package io.weighbridge.suite.bench;

import io.weighbridge.ledger.store.embedded.EmbeddedPostgresql;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The peer that talks to PostgreSQL without anything between. */
final class PgBench {

    private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+)");

    private final EmbeddedPostgresql database;
    private final int clients;

    PgBench(EmbeddedPostgresql database, int clients) {
        this.database = database;
        this.clients = clients;
    }

    static boolean isInstalled() {
        try {
            return new ProcessBuilder("pgbench", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Transactions per second of these one-statement scripts, resources of this package, in equal shares. */
    double run(Duration duration, List<String> names) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "pgbench",
                "--no-vacuum",
                "--protocol=prepared",
                "--jobs=2",
                "--client=" + clients,
                "--time=" + Math.max(1, duration.toSeconds()),
                "--host=127.0.0.1",
                "--port=" + database.port(),
                "--username=" + database.adminUser()));
        List<Path> scripts = new ArrayList<>();
        try {
            for (String name : names) {
                Path script = Files.createTempFile("pgbench", ".sql");
                scripts.add(script);
                try (InputStream in = PgBench.class.getResourceAsStream(name)) {
                    Files.write(script, Objects.requireNonNull(in, name).readAllBytes());
                }
                command.add("--file=" + script);
            }
            command.add("weighbridge");
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().put("PGPASSWORD", database.adminPassword());
            Process process = builder.start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Matcher rate = RATE.matcher(output);
            if (process.waitFor() != 0 || !rate.find()) {
                throw new IOException("pgbench failed: " + output);
            }
            return Double.parseDouble(rate.group(1));
        } finally {
            for (Path script : scripts) {
                Files.delete(script);
            }
        }
    }
}
