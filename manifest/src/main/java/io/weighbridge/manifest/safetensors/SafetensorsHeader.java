package io.weighbridge.manifest.safetensors;

import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.key.Utf8;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.manifest.Dtype;
import io.weighbridge.manifest.Extent;
import io.weighbridge.manifest.ManifestException;
import io.weighbridge.manifest.json.StrictJsonReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The header of one safetensors file: eight bytes with its length, JSON, then the data, which the tensors cover
 * exactly, without holes and without overlap.
 *
 * @param file the name under which problems are reported
 * @param dataOffset of the first data byte in the file
 * @param metadata the file's {@code __metadata__}, texts by text, empty when it has none
 * @param tensors in the order of their data
 */
public record SafetensorsHeader(String file, long dataOffset, Map<String, String> metadata, List<Entry> tensors) {

    /** The longest header that the format allows. */
    public static final int HEADER_BYTES_MAX = 100_000_000;

    private static final int LENGTH_BYTES = 8;
    private static final int TENSORS_MAX = 1_000_000;
    private static final String METADATA = "__metadata__";
    private static final Comparator<Entry> BY_DATA =
            Comparator.comparingLong(Entry::begin).thenComparingLong(Entry::end).thenComparing(Entry::name, Utf8.ORDER);

    /**
     * One tensor.
     *
     * @param begin of its first byte, from the start of the data
     * @param end one past its last byte, from the start of the data
     */
    public record Entry(String name, Dtype dtype, List<Long> shape, long begin, long end) {
        public Entry {
            shape = List.copyOf(shape);
        }
    }

    public SafetensorsHeader {
        metadata = Map.copyOf(metadata);
        tensors = List.copyOf(tensors);
    }

    /** The bytes of data, all of them some tensor's. */
    public long dataBytes() {
        return tensors.isEmpty() ? 0 : tensors.getLast().end();
    }

    /**
     * Reads and checks the header and that the file is exactly as long as it says.
     *
     * @param file the name under which problems are reported
     * @throws ManifestException when the file is not what the format demands, with the tensor's name
     */
    public static SafetensorsHeader read(String file, SeekableByteChannel channel) throws IOException {
        long size = channel.size();
        if (size < LENGTH_BYTES) {
            throw new ManifestException(file, "is truncated: has " + size + " bytes, not even a header length");
        }
        channel.position(0);
        long length =
                fill(file, channel, LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN).getLong();
        if (Long.compareUnsigned(length, HEADER_BYTES_MAX) > 0) {
            throw new ManifestException(
                    file,
                    "claims a header of " + Long.toUnsignedString(length) + " bytes, at most " + HEADER_BYTES_MAX
                            + " are allowed");
        }
        if (length > size - LENGTH_BYTES) {
            throw new ManifestException(
                    file, "is truncated: claims a header of " + length + " bytes, has " + (size - LENGTH_BYTES));
        }
        byte[] json = fill(file, channel, (int) length).array();
        SafetensorsHeader header = new Parser(file, LENGTH_BYTES + length, json).read();
        header.requireCovered(size);
        return header;
    }

    private void requireCovered(long size) {
        long covered = 0;
        for (Entry entry : tensors) {
            if (entry.begin() != covered) {
                String what = entry.begin() < covered ? "overlaps the tensor before it" : "leaves a hole before it";
                throw new ManifestException(
                        file + ": " + entry.name() + ".data_offsets",
                        what + ": begins at " + entry.begin() + ", expected " + covered);
            }
            covered = entry.end();
        }
        if (dataOffset + covered != size) {
            String last = tensors.isEmpty()
                    ? ""
                    : " (the last is '" + tensors.getLast().name() + "')";
            String what = dataOffset + covered > size ? "is truncated" : "has bytes that belong to no tensor";
            throw new ManifestException(
                    file, what + ": its tensors need " + (dataOffset + covered) + " bytes" + last + ", it has " + size);
        }
    }

    private static ByteBuffer fill(String file, SeekableByteChannel channel, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new ManifestException(file, "became shorter while it was read");
            }
        }
        return buffer.flip();
    }

    private static final class Parser {
        private final String file;
        private final long dataOffset;
        private final byte[] bytes;
        private final Map<String, String> metadata = new TreeMap<>();
        private final List<Entry> entries = new ArrayList<>();

        Parser(String file, long dataOffset, byte[] bytes) {
            this.file = file;
            this.dataOffset = dataOffset;
            this.bytes = bytes;
        }

        SafetensorsHeader read() {
            int end = bytes.length;
            while (end > 0 && bytes[end - 1] == ' ') {
                end--;
            }
            if (end == 0 || bytes[0] != '{' || bytes[end - 1] != '}') {
                throw new ManifestException(file, "its header is not a JSON object, padded at most with spaces");
            }
            try (StrictJsonReader json = StrictJsonReader.over(file, bytes, HEADER_BYTES_MAX)) {
                json.object(List.of(), name -> field(json, name));
                json.end();
            }
            entries.sort(BY_DATA);
            return new SafetensorsHeader(file, dataOffset, metadata, entries);
        }

        private void field(StrictJsonReader json, String name) {
            if (name.equals(METADATA)) {
                json.object(List.of(), key -> metadata.put(key, json.text()));
                return;
            }
            if (entries.size() == TENSORS_MAX) {
                throw json.refuse("is one too many, at most " + TENSORS_MAX + " tensors are allowed");
            }
            try {
                Validation.text("name", name);
            } catch (ProblemException e) {
                throw json.refuse(
                        "as a tensor's name " + e.problem().errors().getFirst().message());
            }
            entries.add(new Body(json, name).read());
        }
    }

    private static final class Body {
        private final StrictJsonReader json;
        private final String name;
        private Dtype dtype = Dtype.BOOL;
        private List<Long> shape = List.of();
        private List<Long> offsets = List.of();

        Body(StrictJsonReader json, String name) {
            this.json = json;
            this.name = name;
        }

        Entry read() {
            json.object(List.of("dtype", "shape", "data_offsets"), this::field);
            long begin = offsets.getFirst();
            long end = offsets.getLast();
            switch (Extent.of(dtype, shape)) {
                case Extent.Sized(long elements, long bytes) -> {
                    if (end < begin || end - begin != bytes) {
                        throw json.refuse("data_offsets " + offsets + " are " + (end - begin) + " bytes, " + elements
                                + " elements of " + dtype + " are " + bytes);
                    }
                }
                case Extent.Impossible(String message) -> throw json.refuse("shape: " + message);
            }
            return new Entry(name, dtype, shape, begin, end);
        }

        private void field(String field) {
            switch (field) {
                case "dtype" -> {
                    String text = json.text();
                    dtype = Dtype.named(text).orElseThrow(() -> json.refuse("'" + text + "' is not a known dtype"));
                }
                case "shape" -> shape = json.array(Extent.RANK_MAX, json::integer);
                case "data_offsets" -> {
                    offsets = json.array(2, json::integer);
                    if (offsets.size() != 2) {
                        throw json.refuse("must have two elements");
                    }
                }
                default -> throw json.unknownField();
            }
        }
    }
}
