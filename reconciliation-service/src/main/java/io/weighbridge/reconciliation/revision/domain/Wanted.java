package io.weighbridge.reconciliation.revision.domain;

import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How many copies of each member are wanted, and where (spec 1.2, placement).
 *
 * @param nodes the only nodes that may hold copies; absent: any
 * @param labels labels that a holding node must have; empty: none
 */
public record Wanted(
        int memoryReplicas, int coldReplicas, @Nullable Set<UUID> nodes, Map<String, String> labels) {

    public Wanted {
        nodes = nodes == null ? null : Set.copyOf(nodes);
        labels = Map.copyOf(labels);
    }

    public boolean allows(Host host) {
        return (nodes == null || nodes.contains(host.nodeId()))
                && labels.entrySet().stream()
                        .allMatch(label -> label.getValue().equals(host.labels().get(label.getKey())));
    }
}
