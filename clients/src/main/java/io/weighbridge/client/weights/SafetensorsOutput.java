package io.weighbridge.client.weights;

import io.weighbridge.manifest.Extent;
import io.weighbridge.manifest.StoredWeightManifest;
import io.weighbridge.manifest.StoredWeightManifest.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a revision's tensors as a checkpoint in the Hugging Face layout: one {@code model.safetensors}, or shards with
 * an index. Files have temporary names until {@link #finish()}, so that a reading that broke off leaves nothing that
 * looks whole.
 */
public final class SafetensorsOutput implements TensorSink, AutoCloseable {

    private static final long SHARD_BYTES = 4L << 30;
    private static final String PART = ".part";

    private final Path directory;
    private final JsonMapper json = new JsonMapper();
    private final List<Shard> shards = new ArrayList<>();
    private final Map<String, Place> places = new HashMap<>();
    private long totalBytes;

    private record Shard(Path file, FileChannel channel, List<String> tensors) {}

    private record Place(FileChannel channel, long offset) {}

    /** Makes the files, at their full lengths, in a directory that must not hold a checkpoint yet. */
    public SafetensorsOutput(Path directory, StoredWeightManifest manifest) throws IOException {
        this.directory = Files.createDirectories(directory);
        try (var existing = Files.newDirectoryStream(directory, "*.safetensors*")) {
            for (Path file : existing) {
                if (!file.getFileName().toString().endsWith(PART)) {
                    throw new IOException(directory + " holds a checkpoint already: " + file.getFileName());
                }
                Files.delete(file);
            }
        }
        List<List<Tensor>> split = split(manifest.tensors());
        for (int i = 0; i < split.size(); i++) {
            shard(name(i, split.size()), split.get(i));
        }
    }

    @Override
    public void accept(String tensor, long offset, ByteBuffer bytes) throws IOException {
        Place place = Objects.requireNonNull(places.get(tensor));
        long at = place.offset() + offset;
        while (bytes.hasRemaining()) {
            at += place.channel().write(bytes, at);
        }
    }

    /** Makes everything durable and gives the files their names; call it only after all digests were right. */
    public void finish() throws IOException {
        Map<String, String> weightMap = new LinkedHashMap<>();
        for (Shard shard : shards) {
            shard.channel().force(true);
            Path whole = directory.resolve(shard.file().getFileName().toString().replace(PART, ""));
            Files.move(shard.file(), whole, StandardCopyOption.ATOMIC_MOVE);
            shard.tensors()
                    .forEach(tensor -> weightMap.put(tensor, whole.getFileName().toString()));
        }
        if (shards.size() > 1) {
            byte[] index = json.writeValueAsBytes(
                    Map.of("metadata", Map.of("total_size", totalBytes), "weight_map", weightMap));
            Files.write(directory.resolve("model.safetensors.index.json"), index);
        }
    }

    @Override
    public void close() throws IOException {
        for (Shard shard : shards) {
            shard.channel().close();
            Files.deleteIfExists(shard.file());
        }
    }

    private void shard(String name, List<Tensor> tensors) throws IOException {
        Map<String, Object> header = new LinkedHashMap<>();
        Map<String, Long> offsets = new LinkedHashMap<>();
        long end = 0;
        for (Tensor tensor : tensors) {
            long begin = end;
            end += bytes(tensor);
            offsets.put(tensor.name(), begin);
            header.put(
                    tensor.name(),
                    Map.of(
                            "dtype", tensor.dtype().name(),
                            "shape", tensor.shape(),
                            "data_offsets", List.of(begin, end)));
        }
        totalBytes += end;
        byte[] text = json.writeValueAsString(header).getBytes(StandardCharsets.UTF_8);
        // The format wants the data to begin at a multiple of 8; the header is padded with spaces.
        int padded = (text.length + 7) / 8 * 8;
        ByteBuffer head = ByteBuffer.allocate(8 + padded).order(ByteOrder.LITTLE_ENDIAN);
        head.putLong(padded).put(text);
        while (head.hasRemaining()) {
            head.put((byte) ' ');
        }
        Path file = directory.resolve(name + PART);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        channel.write(head.flip(), 0);
        long dataOffset = 8L + padded;
        if (end > 0) {
            channel.write(ByteBuffer.allocate(1), dataOffset + end - 1);
        }
        offsets.forEach((tensor, offset) -> places.put(tensor, new Place(channel, dataOffset + offset)));
        shards.add(new Shard(file, channel, List.copyOf(offsets.keySet())));
    }

    /** An alias is written as a copy of nothing: its tensor's own entry carries the elements. */
    private static List<List<Tensor>> split(List<Tensor> tensors) {
        List<List<Tensor>> split = new ArrayList<>();
        long filled = SHARD_BYTES;
        for (Tensor tensor : tensors) {
            if (tensor.aliasOf() != null) {
                continue;
            }
            if (filled + bytes(tensor) > SHARD_BYTES && (filled > 0 || split.isEmpty())) {
                split.add(new ArrayList<>());
                filled = 0;
            }
            split.getLast().add(tensor);
            filled += bytes(tensor);
        }
        return split;
    }

    private static long bytes(Tensor tensor) {
        return switch (Extent.of(tensor.dtype(), tensor.shape())) {
            case Extent.Sized sized -> sized.bytes();
            case Extent.Impossible impossible -> throw new IllegalStateException(impossible.message());
        };
    }

    private static String name(int shard, int shards) {
        return shards == 1 ? "model.safetensors" : "model-%05d-of-%05d.safetensors".formatted(shard + 1, shards);
    }
}
