package io.weighbridge.manifest.layout;

import io.weighbridge.manifest.Dtype;
import io.weighbridge.manifest.Extent;
import io.weighbridge.manifest.SourceTensor;
import io.weighbridge.manifest.json.StrictJsonReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The names, shapes and shards of a real checkpoint, without its bytes. Names and shards are those of the published
 * index; shapes follow from the published configuration.
 *
 * @param totalSize what the index says that all tensors have, in bytes
 * @param shards the tensors' names in each file, in the order of the index
 * @param tensors each with the shard's name as its file and the offset that it would have there after a header of 64
 *     KiB
 */
public record CheckpointLayout(
        String name, long totalSize, Map<String, List<String>> shards, List<SourceTensor> tensors) {

    private static final long HEADER_BYTES = 64 << 10;

    /** 1,739 tensors in 59 shards, 281,241,268,224 bytes. */
    public static CheckpointLayout mixtral8x22b() {
        return load("mixtral-8x22b");
    }

    /** 723 tensors in 162 shards, 282,215,219,200 bytes. */
    public static CheckpointLayout llama31x70b() {
        return load("llama-3.1-70b");
    }

    private static CheckpointLayout load(String name) {
        Config config = Config.read(resource(name + "/config.json"));
        long[] totalSize = {0};
        Map<String, List<String>> shards = new TreeMap<>();
        try (StrictJsonReader json =
                StrictJsonReader.over(name, resource(name + "/model.safetensors.index.json"), 4096)) {
            json.object(List.of("metadata", "weight_map"), field -> {
                if (field.equals("metadata")) {
                    json.object(List.of("total_size"), key -> totalSize[0] = json.integer());
                } else {
                    json.object(
                            List.of(),
                            tensor -> shards.computeIfAbsent(json.text(), file -> new ArrayList<>())
                                    .add(tensor));
                }
            });
        }
        return new CheckpointLayout(name, totalSize[0], shards, tensors(config, shards));
    }

    private static List<SourceTensor> tensors(Config config, Map<String, List<String>> shards) {
        List<SourceTensor> tensors = new ArrayList<>();
        shards.forEach((file, names) -> {
            long offset = HEADER_BYTES;
            for (String tensor : names) {
                List<Long> shape = config.shape(tensor);
                tensors.add(new SourceTensor(tensor, config.dtype(), shape, Path.of(file), offset));
                offset += ((Extent.Sized) Extent.of(config.dtype(), shape)).bytes();
            }
        });
        return tensors;
    }

    private static byte[] resource(String name) {
        try (InputStream in = CheckpointLayout.class.getResourceAsStream("/layouts/" + name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Config(Map<String, Long> numbers, Dtype dtype) {

        static Config read(byte[] bytes) {
            Map<String, Long> numbers = new HashMap<>();
            Map<String, String> texts = new LinkedHashMap<>();
            try (StrictJsonReader json = StrictJsonReader.over("config.json", bytes, 4096)) {
                json.object(List.of("torch_dtype"), field -> {
                    switch (field) {
                        case "hidden_size",
                                "intermediate_size",
                                "num_attention_heads",
                                "num_key_value_heads",
                                "num_local_experts",
                                "vocab_size" -> numbers.put(field, json.integer());
                        case "torch_dtype" -> texts.put(field, json.text());
                        default -> json.skip();
                    }
                });
            }
            return new Config(numbers, "float32".equals(texts.get("torch_dtype")) ? Dtype.F32 : Dtype.BF16);
        }

        List<Long> shape(String tensor) {
            long hidden = number("hidden_size");
            long keysAndValues = hidden / number("num_attention_heads") * number("num_key_value_heads");
            String kind = tensor.replaceFirst("\\.weight$", "").replaceFirst("^.*\\.", "");
            return switch (kind) {
                case "embed_tokens", "lm_head" -> List.of(number("vocab_size"), hidden);
                case "norm", "input_layernorm", "post_attention_layernorm" -> List.of(hidden);
                case "q_proj", "o_proj" -> List.of(hidden, hidden);
                case "k_proj", "v_proj" -> List.of(keysAndValues, hidden);
                case "gate_proj", "up_proj", "w1", "w3" -> List.of(number("intermediate_size"), hidden);
                case "down_proj", "w2" -> List.of(hidden, number("intermediate_size"));
                case "gate" -> List.of(number("num_local_experts"), hidden);
                default -> throw new IllegalStateException("no shape is known for " + tensor);
            };
        }

        private long number(String name) {
            return Objects.requireNonNull(numbers.get(name), name);
        }
    }
}
