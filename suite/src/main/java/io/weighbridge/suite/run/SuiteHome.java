package io.weighbridge.suite.run;

import io.weighbridge.ledger.http.security.BearerTokens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The suite's directory: the database, the agents' disks, the logs and the secrets that all parts share. */
final class SuiteHome {

    private final Path directory;
    private final boolean temporary;
    private final Properties secrets = new Properties();

    private SuiteHome(Path directory, boolean temporary) {
        this.directory = directory;
        this.temporary = temporary;
    }

    static SuiteHome open(@Nullable Path data) throws IOException {
        SuiteHome home = data == null
                ? new SuiteHome(Files.createTempDirectory("weighbridge-"), true)
                : new SuiteHome(Files.createDirectories(data.toAbsolutePath()), false);
        Files.createDirectories(home.logs());
        Path file = home.directory.resolve("secrets.properties");
        if (Files.exists(file)) {
            try (var in = Files.newBufferedReader(file)) {
                home.secrets.load(in);
            }
        }
        return home;
    }

    Path database() {
        return directory.resolve("postgresql");
    }

    Path logs() {
        return directory.resolve("logs");
    }

    Path agent(int number) {
        return directory.resolve("node-" + number);
    }

    Path peerTokens() {
        return directory.resolve("peer-tokens.json");
    }

    /** A random secret under this name, the same after a restart. */
    String secret(String name) {
        return (String) secrets.computeIfAbsent(name, missing -> BearerTokens.newToken());
    }

    /** Keeps the secrets that were made, readable by this user only. */
    void saveSecrets() throws IOException {
        Path file = directory.resolve("secrets.properties");
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        try (var out = Files.newBufferedWriter(file)) {
            secrets.store(out, null);
        }
    }

    /** Removes a temporary home. */
    void close() {
        if (!temporary) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + directory, e);
        }
    }
}
