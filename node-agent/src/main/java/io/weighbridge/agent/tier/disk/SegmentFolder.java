package io.weighbridge.agent.tier.disk;

import java.io.IOException;
import java.io.Reader;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * The files of a disk segment: {@code segment.properties} with its ids, {@code lock}, {@code incoming/} with what is
 * being written, {@code extents/} with what is whole.
 */
final class SegmentFolder implements AutoCloseable {

    private static final String SEGMENT_ID = "segment_id";
    private static final String ARENA_ID = "arena_id";

    private final Path root;
    private final FileChannel lock;
    private final Properties ids;

    private SegmentFolder(Path root, FileChannel lock, Properties ids) {
        this.root = root;
        this.lock = lock;
        this.ids = ids;
    }

    /**
     * Takes the directory for this process, makes what is missing and removes what was being written when the last
     * process ended.
     *
     * @param newIds where ids of a new segment come from
     * @throws IOException also when another process has it
     */
    static SegmentFolder open(Path root, Supplier<UUID> newIds) throws IOException {
        Files.createDirectories(root.resolve("incoming"));
        Files.createDirectories(root.resolve("extents"));
        FileChannel lock = FileChannel.open(
                root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ);
        try {
            take(lock, root);
            for (Path left : list(root.resolve("incoming"))) {
                Files.delete(left);
            }
            return new SegmentFolder(root, lock, ids(root, newIds));
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    UUID segmentId() {
        return UUID.fromString(ids.getProperty(SEGMENT_ID));
    }

    UUID arenaId() {
        return UUID.fromString(ids.getProperty(ARENA_ID));
    }

    /** Where a copy is written; derived from its id only. */
    Path incoming(UUID replicaId) {
        return root.resolve("incoming").resolve(replicaId + ".part");
    }

    /** Where a whole copy lies; derived from its id only. */
    Path extent(UUID replicaId) {
        return root.resolve("extents").resolve(replicaId.toString());
    }

    /** The files of whole copies. */
    List<Path> extents() throws IOException {
        return list(root.resolve("extents"));
    }

    /** Bytes that the file system still has for us. */
    long usableBytes() throws IOException {
        return Files.getFileStore(root).getUsableSpace();
    }

    /** Makes a written and forced file a whole copy, durably. */
    void publish(UUID replicaId) throws IOException {
        Files.move(incoming(replicaId), extent(replicaId), StandardCopyOption.ATOMIC_MOVE);
        forceDirectory(root.resolve("extents"));
    }

    /** Deletes whatever there is of a copy, durably. */
    void delete(UUID replicaId) throws IOException {
        Files.deleteIfExists(incoming(replicaId));
        if (Files.deleteIfExists(extent(replicaId))) {
            forceDirectory(root.resolve("extents"));
        }
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void take(FileChannel lock, Path root) throws IOException {
        FileLock taken;
        try {
            taken = lock.tryLock();
        } catch (OverlappingFileLockException e) {
            throw new IOException(root + " is in use by another agent of this process", e);
        }
        if (taken == null) {
            throw new IOException(root + " is in use by another process");
        }
    }

    private static Properties ids(Path root, Supplier<UUID> newIds) throws IOException {
        Path file = root.resolve("segment.properties");
        Properties ids = new Properties();
        if (Files.exists(file)) {
            try (Reader in = Files.newBufferedReader(file)) {
                ids.load(in);
            }
        } else {
            ids.setProperty(SEGMENT_ID, newIds.get().toString());
            ids.setProperty(ARENA_ID, newIds.get().toString());
            writeDurably(
                    root,
                    file,
                    SEGMENT_ID + "=" + ids.getProperty(SEGMENT_ID) + "\n" + ARENA_ID + "=" + ids.getProperty(ARENA_ID)
                            + "\n");
        }
        return ids;
    }

    private static void writeDurably(Path root, Path file, String text) throws IOException {
        Path temporary = root.resolve("incoming").resolve("segment.properties");
        Files.writeString(temporary, text, StandardCharsets.UTF_8);
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        forceDirectory(root);
    }

    private static void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(files::add);
        }
        return files;
    }
}
