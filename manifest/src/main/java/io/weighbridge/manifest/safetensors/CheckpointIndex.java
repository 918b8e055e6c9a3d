package io.weighbridge.manifest.safetensors;

import io.weighbridge.manifest.json.StrictJsonReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Hugging Face's {@code model.safetensors.index.json}. Other fields than those two, which tools add freely, are passed
 * over.
 *
 * @param totalSize {@code metadata.total_size}, the bytes of all tensors, where it is given
 * @param weightMap the plain name of the file that holds the tensor, by the tensor's name
 */
record CheckpointIndex(OptionalLong totalSize, Map<String, String> weightMap) {

    static final String FILE = "model.safetensors.index.json";

    /** A larger index is refused. */
    static final int BYTES_MAX = 100_000_000;

    private static final String SUFFIX = ".safetensors";

    static CheckpointIndex read(byte[] bytes) {
        List<Long> total = new ArrayList<>();
        Map<String, String> files = new LinkedHashMap<>();
        try (StrictJsonReader json = StrictJsonReader.over(FILE, bytes, 1 << 20)) {
            json.object(List.of("weight_map"), field -> {
                switch (field) {
                    case "metadata" ->
                        json.object(List.of(), name -> {
                            if (name.equals("total_size")) {
                                total.add(json.integer());
                            } else {
                                json.skip();
                            }
                        });
                    case "weight_map" -> json.object(List.of(), tensor -> files.put(tensor, fileName(json)));
                    default -> json.skip();
                }
            });
            json.end();
        }
        return new CheckpointIndex(total.isEmpty() ? OptionalLong.empty() : OptionalLong.of(total.getFirst()), files);
    }

    /** A name in the index's own directory: nothing that a path could hide in. */
    private static String fileName(StrictJsonReader json) {
        String name = json.text();
        boolean plain = name.chars().noneMatch(c -> c == '/' || c == '\\' || c == ':' || c < 0x20 || c == 0x7F);
        if (!plain || name.startsWith(".") || !name.endsWith(SUFFIX)) {
            throw json.refuse("'" + name + "' is not the plain name of a " + SUFFIX + " file");
        }
        return name;
    }
}
