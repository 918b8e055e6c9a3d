package io.weighbridge.metadata.revision.domain;

import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.vocabulary.Residency;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How many copies a revision wants and where (spec 1.2).
 *
 * @param memoryReplicas copies of each member in memory, 1 to 1024
 * @param coldReplicas copies of each member on cold tiers, 0 to 1024
 * @param nodes the only nodes whose copies count, 1 to 1024; null: any
 * @param nodeLabels labels that a holding node must have; null: none
 */
public record Placement(
        int memoryReplicas,
        int coldReplicas,
        @Nullable List<UUID> nodes,
        @Nullable Map<String, String> nodeLabels) {

    /** The most copies of one member per kind of tier, and the most nodes named. */
    public static final int MOST = 1024;

    /** One copy in memory, anywhere. */
    public static final Placement DEFAULT = new Placement(1, 0, null, null);

    /** @throws ProblemException INVALID_ARGUMENT that names the field */
    public Placement {
        if (memoryReplicas < 1 || memoryReplicas > MOST) {
            throw invalid("placement.memory_replicas", "must be 1 to " + MOST + ", is " + memoryReplicas);
        }
        if (coldReplicas < 0 || coldReplicas > MOST) {
            throw invalid("placement.cold_replicas", "must be 0 to " + MOST + ", is " + coldReplicas);
        }
        if (nodes != null) {
            if (nodes.isEmpty() || nodes.size() > MOST) {
                throw invalid("placement.nodes", "must name 1 to " + MOST + " nodes, names " + nodes.size());
            }
            if (new HashSet<>(nodes).size() < nodes.size()) {
                throw invalid("placement.nodes", "names a node twice");
            }
            nodes = List.copyOf(nodes);
        }
        if (nodeLabels != null) {
            nodeLabels = Labels.checked("placement.node_labels", nodeLabels);
        }
    }

    /** Copies in memory that count now: an evicted revision is not heated again (spec 1.5). */
    public int memoryWanted(Residency lastTarget) {
        return lastTarget == Residency.HOT ? memoryReplicas : 0;
    }

    /** Cold copies that count now: an evicted revision keeps one at least. */
    public int coldWanted(Residency lastTarget) {
        return lastTarget == Residency.HOT ? coldReplicas : Math.max(1, coldReplicas);
    }

    private static ProblemException invalid(String field, String message) {
        return new ProblemException(Problem.invalid(field, message));
    }
}
