package io.weighbridge.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why something is, or is not, readable, in layers from the ledger outwards (spec 2.7).
 *
 * @param readable the verdict over all layers
 */
public record Diagnosis(String subject, boolean readable, List<Diagnosis.Layer> layers) {

    /** What one layer says. */
    public enum Verdict {
        OK,
        WARNING,
        BLOCKING,
        UNKNOWN
    }

    /**
     * @param name the layer, such as {@code put}, {@code replica}, {@code segment}
     * @param evidence what was seen
     * @param nextStep what to do about it; absent when OK
     */
    public record Layer(
            String name,
            Verdict verdict,
            String evidence,
            @Nullable String nextStep) {}
}
