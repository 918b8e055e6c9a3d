package io.weighbridge.manifest.layout;

import io.weighbridge.manifest.Extent;
import io.weighbridge.manifest.SourceTensor;
import io.weighbridge.manifest.json.CanonicalJsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Writes checkpoint directories with an index and seeded bytes; the bytes of one seed are always the same. */
public final class SyntheticCheckpoint {

    private SyntheticCheckpoint() {}

    /**
     * Writes every tensor into the file of its name, with an index.
     *
     * @param directory must exist; files in it are replaced
     * @param tensors of which {@link SourceTensor#file()} is taken as a plain name and the offset is not looked at
     */
    public static void write(Path directory, List<SourceTensor> tensors, long seed) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        Map<String, List<SourceTensor>> files = new LinkedHashMap<>();
        Map<String, String> weightMap = new TreeMap<>();
        long total = 0;
        for (SourceTensor tensor : tensors) {
            String file = tensor.file().toString();
            files.computeIfAbsent(file, name -> new ArrayList<>()).add(tensor);
            weightMap.put(tensor.name(), file);
            total += bytes(tensor);
        }
        try {
            for (Map.Entry<String, List<SourceTensor>> file : files.entrySet()) {
                writeFile(directory.resolve(file.getKey()), file.getValue(), random);
            }
            CanonicalJsonWriter json = new CanonicalJsonWriter();
            json.beginObject().name("metadata").beginObject().name("total_size").value(total);
            json.endObject().name("weight_map").beginObject();
            weightMap.forEach((tensor, file) -> json.name(tensor).value(file));
            Files.write(
                    directory.resolve("model.safetensors.index.json"),
                    json.endObject().endObject().bytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A header for these tensors, their data in the order given; with the eight bytes of its length. */
    public static byte[] header(List<SourceTensor> tensors) {
        Map<String, long[]> offsets = new LinkedHashMap<>();
        Map<String, SourceTensor> byName = new TreeMap<>();
        long at = 0;
        for (SourceTensor tensor : tensors) {
            offsets.put(tensor.name(), new long[] {at, at + bytes(tensor)});
            byName.put(tensor.name(), tensor);
            at += bytes(tensor);
        }
        CanonicalJsonWriter json = new CanonicalJsonWriter().beginObject();
        byName.forEach((name, tensor) -> {
            long[] range = offsets.getOrDefault(name, new long[2]);
            json.name(name).beginObject().name("data_offsets").beginArray();
            json.value(range[0]).value(range[1]).endArray();
            json.name("dtype").value(tensor.dtype().name()).name("shape").beginArray();
            tensor.shape().forEach(json::value);
            json.endArray().endObject();
        });
        byte[] bytes = json.endObject().bytes();
        return ByteBuffer.allocate(8 + bytes.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(bytes.length)
                .put(bytes)
                .array();
    }

    private static void writeFile(Path file, List<SourceTensor> tensors, RandomGenerator random) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(header(tensors)));
            byte[] chunk = new byte[1 << 16];
            for (SourceTensor tensor : tensors) {
                for (long left = bytes(tensor); left > 0; left -= chunk.length) {
                    random.nextBytes(chunk);
                    channel.write(ByteBuffer.wrap(chunk, 0, (int) Math.min(left, chunk.length)));
                }
            }
        }
    }

    private static long bytes(SourceTensor tensor) {
        return ((Extent.Sized) Extent.of(tensor.dtype(), tensor.shape())).bytes();
    }
}
