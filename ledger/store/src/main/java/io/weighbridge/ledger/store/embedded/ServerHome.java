package io.weighbridge.ledger.store.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of one server: its data, its log, the superuser's password, and a lock that the operating system gives
 * back when the process that holds it dies, however it dies.
 */
final class ServerHome {

    private static final String TEMPORARY_PREFIX = "weighbridge-postgresql-";

    private final Path directory;
    private final boolean temporary;
    private final FileChannel channel;

    private ServerHome(Path directory, boolean temporary, FileChannel channel) {
        this.directory = directory;
        this.temporary = temporary;
        this.channel = channel;
    }

    static ServerHome kept(Path directory) throws IOException {
        Files.createDirectories(directory);
        FileChannel locked = lock(directory);
        if (locked == null) {
            throw new EmbeddedPostgresqlException("another process uses the ledger in " + directory, null);
        }
        return new ServerHome(directory.toRealPath(), false, locked);
    }

    /** A new one; those left behind by processes that were killed are removed first. */
    static ServerHome temporary() throws IOException {
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        removeAbandoned(parent);
        Path directory = Files.createTempDirectory(parent, TEMPORARY_PREFIX);
        FileChannel locked = lock(directory);
        if (locked == null) {
            throw new EmbeddedPostgresqlException("the new directory " + directory + " is locked already", null);
        }
        return new ServerHome(directory.toRealPath(), true, locked);
    }

    Path directory() {
        return directory;
    }

    Path data() {
        return directory.resolve("data");
    }

    Path log() {
        return directory.resolve("postgresql.log");
    }

    Path passwordFile() {
        return directory.resolve("superuser-password");
    }

    /** Removes what a process left that was killed before its first start was complete: nobody has used it. */
    void removeUnfinished() throws IOException {
        if (!Files.exists(complete()) && Files.exists(passwordFile()) && Files.exists(data())) {
            remove(data());
        }
    }

    /** The server has started once: from now on its data is precious. */
    void markComplete() throws IOException {
        if (!Files.exists(complete())) {
            Files.createFile(complete());
        }
    }

    private Path complete() {
        return directory.resolve("complete");
    }

    /** The superuser's password: made with the data, readable by this user only. */
    String password() throws IOException {
        if (Files.exists(passwordFile())) {
            return Files.readString(passwordFile()).strip();
        }
        if (Files.exists(data())) {
            throw new EmbeddedPostgresqlException(
                    "the ledger in " + directory + " has no file "
                            + passwordFile().getFileName(),
                    null);
        }
        byte[] random = new byte[24];
        new SecureRandom().nextBytes(random);
        String password = HexFormat.of().formatHex(random);
        Files.createFile(
                passwordFile(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(passwordFile(), password + "\n");
        return password;
    }

    /** The last lines of the server's log, for an error message. */
    String logTail() {
        try {
            List<String> lines = Files.readAllLines(log());
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 12), lines.size()));
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }

    /** Gives the lock back; a temporary home disappears. */
    void close() throws IOException {
        // The library's own lock outlives a server that it did not stop itself, but not the file.
        Files.deleteIfExists(data().resolve("epg-lock"));
        if (temporary) {
            remove(directory);
        }
        channel.close();
    }

    private static @Nullable FileChannel lock(Path directory) throws IOException {
        FileChannel channel =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // This very process holds it.
        }
        if (lock == null) {
            channel.close();
            return null;
        }
        return channel;
    }

    private static void removeAbandoned(Path parent) throws IOException {
        try (Stream<Path> children = Files.list(parent)) {
            for (Path child : children.toList()) {
                if (child.getFileName().toString().startsWith(TEMPORARY_PREFIX)
                        && Files.exists(child.resolve("lock"))) {
                    removeIfAbandoned(child);
                }
            }
        }
    }

    private static void removeIfAbandoned(Path home) {
        try (FileChannel locked = lock(home)) {
            if (locked != null) {
                ServerProcesses.stop(home.resolve("data"));
                remove(home);
            }
        } catch (IOException e) {
            // Somebody else's, or somebody else removes it: not ours to insist.
        }
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
