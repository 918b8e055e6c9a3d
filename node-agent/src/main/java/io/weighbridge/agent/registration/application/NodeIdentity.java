package io.weighbridge.agent.registration.application;

import java.util.Map;
import java.util.UUID;

/**
 * Who this agent is.
 *
 * @param nodeId made once and kept in the state directory
 * @param incarnation new at each start
 * @param hostBootId equal for agents of one host
 * @param labels for placement
 */
public record NodeIdentity(UUID nodeId, UUID incarnation, String hostBootId, Map<String, String> labels) {

    public NodeIdentity {
        labels = Map.copyOf(labels);
    }
}
