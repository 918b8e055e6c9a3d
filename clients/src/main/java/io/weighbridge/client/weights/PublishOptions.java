package io.weighbridge.client.weights;

import io.weighbridge.manifest.packing.Packing;
import io.weighbridge.wire.Placement;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a checkpoint is published.
 *
 * @param packing how tensors become objects
 * @param placement how many copies are wanted and where
 * @param preferredNode tried first for every object
 * @param labels kept with the revision, at most 32
 * @param parallel uploads at a time, 1 or more
 */
public record PublishOptions(
        Packing packing, Placement placement, @Nullable UUID preferredNode, Map<String, String> labels, int parallel) {

    /** One copy in memory anywhere, four uploads at a time. */
    public static final PublishOptions DEFAULT =
            new PublishOptions(Packing.DEFAULT, new Placement(1, 0, null, null), null, Map.of(), 4);

    public PublishOptions preferring(@Nullable UUID node) {
        return new PublishOptions(packing, placement, node, labels, parallel);
    }
}
