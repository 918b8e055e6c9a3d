package io.weighbridge.agent.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Properties;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an agent remembers of itself over restarts: the ids of its node and of its memory segment.
 *
 * @param nodeId made once
 * @param memorySegmentId made once; the arena's id is new with each start
 */
record StateFolder(UUID nodeId, UUID memorySegmentId) {

    /** @param directory null to remember nothing */
    static StateFolder open(@Nullable Path directory, Supplier<UUID> newIds) throws IOException {
        if (directory == null) {
            return new StateFolder(newIds.get(), newIds.get());
        }
        Files.createDirectories(directory);
        Path file = directory.resolve("node.properties");
        if (!Files.exists(file)) {
            write(directory, file, "node_id=" + newIds.get() + "\nmemory_segment_id=" + newIds.get() + "\n");
        }
        Properties ids = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            ids.load(in);
        }
        return new StateFolder(id(file, ids, "node_id"), id(file, ids, "memory_segment_id"));
    }

    private static UUID id(Path file, Properties ids, String name) throws IOException {
        try {
            return UUID.fromString(ids.getProperty(name, ""));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " has no " + name, e);
        }
    }

    private static void write(Path directory, Path file, String text) throws IOException {
        Path temporary = directory.resolve("node.properties.new");
        Files.writeString(temporary, text);
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
