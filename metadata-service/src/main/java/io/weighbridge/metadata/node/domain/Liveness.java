package io.weighbridge.metadata.node.domain;

import io.weighbridge.ledger.vocabulary.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Who is suspected and who is dead, by missed heartbeats and the database's clock (spec 2.6).
 *
 * @param suspectAfter no heartbeat for so long: no new copies
 * @param deadAfter no heartbeat for so long: its copies are not readable
 * @param deadShareMax more than this share of the nodes never dies at once; one node alone may always
 */
public record Liveness(Duration suspectAfter, Duration deadAfter, double deadShareMax) {

    /**
     * What a look at all nodes has found.
     *
     * @param changed nodes in their new states
     * @param heldBack nodes whose death was not declared, since too many would die at once
     */
    public record Findings(List<Node> changed, int heldBack) {
        public Findings {
            changed = List.copyOf(changed);
        }
    }

    /**
     * How many nodes there are besides the silent ones.
     *
     * @param alive not DEAD, the silent ones among them
     * @param recentlyDead whose last heartbeat is not older than two full intervals: deaths follow each other closely
     */
    public record Census(long alive, long recentlyDead) {}

    /**
     * @param silent those that have been silent for longer than {@link #suspectAfter}, none of them DEAD
     * @param mayDie false for a while after the ledger took no heartbeats: silence proves nothing then (spec 1.9)
     */
    public Findings judge(List<Node> silent, Census census, boolean mayDie, Instant now) {
        double most = Math.max(1.0, (census.alive() + census.recentlyDead()) * deadShareMax);
        boolean tooMany = silent.size() + census.recentlyDead() > most;
        List<Node> changed = new ArrayList<>();
        int heldBack = 0;
        for (Node node : silent) {
            boolean dying = mayDie && Duration.between(node.lastSeen(), now).compareTo(deadAfter) > 0;
            if (dying && !tooMany) {
                changed.add(node.in(NodeState.DEAD));
            } else if (node.state() != NodeState.SUSPECT) {
                changed.add(node.in(NodeState.SUSPECT));
            }
            heldBack += dying && tooMany ? 1 : 0;
        }
        return new Findings(changed, heldBack);
    }
}
