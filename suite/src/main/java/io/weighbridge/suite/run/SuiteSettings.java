package io.weighbridge.suite.run;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the suite is started.
 *
 * @param gatewayPort the only port that is chosen; 0 for a free one
 * @param data where everything is kept, or null for a temporary directory that is gone at the stop
 * @param nodes node agents, 1 or more
 * @param processes each service and agent as a process of its own
 * @param memoryBytes of each agent's memory segment; its disk segment has eight times as much
 * @param extra further settings for every service, such as {@code weighbridge.nodes.dead-after=3s}
 */
public record SuiteSettings(
        int gatewayPort, @Nullable Path data, int nodes, boolean processes, long memoryBytes, List<String> extra) {

    public SuiteSettings {
        extra = List.copyOf(extra);
        if (nodes < 1) {
            throw new IllegalArgumentException("the suite has at least one node");
        }
    }

    /** What an agent has when nothing else is said: 1 GiB. */
    public static final long MEMORY_BYTES = 1L << 30;
}
