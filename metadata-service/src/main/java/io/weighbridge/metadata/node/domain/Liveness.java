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
     * @param nodes those that have been silent for long, none of them DEAD
     * @param alive how many nodes are not DEAD, the silent ones among them
     * @param mayDie false for a while after the ledger took no heartbeats: silence proves nothing then (spec 1.9)
     */
    public Findings judge(List<Node> nodes, long alive, boolean mayDie, Instant now) {
        List<Node> suspects = new ArrayList<>();
        List<Node> dying = new ArrayList<>();
        for (Node node : nodes) {
            Duration silence = Duration.between(node.lastSeen(), now);
            if (silence.compareTo(deadAfter) > 0 && mayDie) {
                dying.add(node);
            } else if (silence.compareTo(suspectAfter) > 0 && node.state() != NodeState.SUSPECT) {
                suspects.add(node.in(NodeState.SUSPECT));
            }
        }
        boolean tooMany = dying.size() > Math.max(1.0, alive * deadShareMax);
        for (Node node : dying) {
            if (!tooMany) {
                suspects.add(node.in(NodeState.DEAD));
            } else if (node.state() != NodeState.SUSPECT) {
                suspects.add(node.in(NodeState.SUSPECT));
            }
        }
        return new Findings(suspects, tooMany ? dying.size() : 0);
    }
}
