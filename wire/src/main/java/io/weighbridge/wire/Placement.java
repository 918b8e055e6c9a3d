package io.weighbridge.wire;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How many copies a revision wants and where (spec 1.2).
 *
 * @param memoryReplicas copies of each member in memory, 1 or more
 * @param coldReplicas copies of each member on cold tiers, 0 or more
 * @param nodes the only nodes that may hold copies; absent: any
 * @param nodeLabels labels that a holding node must have; absent: none
 */
public record Placement(
        int memoryReplicas,
        int coldReplicas,
        @Nullable List<UUID> nodes,
        @Nullable Map<String, String> nodeLabels) {}
