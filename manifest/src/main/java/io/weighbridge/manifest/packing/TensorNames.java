package io.weighbridge.manifest.packing;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What Hugging Face's tensor names tell of a tensor's place in the model. */
final class TensorNames {

    private static final Pattern LAYER = Pattern.compile("(?:^|\\.)(?:layers|blocks|h)\\.(\\d{1,9})(?:\\.|$)");
    private static final Pattern EXPERT = Pattern.compile("\\.experts\\.(\\d{1,9})(?:\\.|$)");

    private TensorNames() {}

    /** {@code 17} of {@code model.layers.17.mlp.up_proj.weight}, null where the name has none. */
    static @Nullable Long layer(String name) {
        return number(LAYER.matcher(name));
    }

    /** {@code 3} of {@code model.layers.0.block_sparse_moe.experts.3.w1.weight}, null where the name has none. */
    static @Nullable Long expert(String name) {
        return number(EXPERT.matcher(name));
    }

    private static @Nullable Long number(Matcher matcher) {
        return matcher.find() ? Long.valueOf(matcher.group(1)) : null;
    }
}
