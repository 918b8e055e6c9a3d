package io.weighbridge.lease.nodekey.application;

import io.weighbridge.lease.nodekey.postgres.NodeKeyRows;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.Randomness;
import io.weighbridge.ledger.token.NodeKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import reactor.core.publisher.Mono;

/** Makes and rotates the keys that the ledger shares with each node (spec 2.3). */
public final class NodeKeys {

    private static final int SECRET_BYTES = 32;
    private static final int ROTATED_AT_ONCE = 500;

    private final Ledger ledger;
    private final NodeKeyRows rows;
    private final Duration rotation;

    /** @param rotation how old a node's newest key becomes */
    public NodeKeys(Ledger ledger, NodeKeyRows rows, Duration rotation) {
        this.ledger = ledger;
        this.rows = rows;
        this.rotation = rotation;
    }

    /**
     * A node's keys, newest first, at most two. The first time makes the first one and binds the node to the subject.
     *
     * @return PERMISSION_DENIED when the node is another subject's
     */
    public Mono<List<NodeKey>> of(UUID node, String subject) {
        return ledger.transact(
                Guards.none(),
                tx -> rows.createFirst(tx, node, Randomness.bytes(SECRET_BYTES), subject)
                        .thenMany(rows.subjects(tx, node))
                        .all(subject::equals)
                        .flatMap(own -> own
                                ? rows.newestFirst(tx, node, subject).collectList()
                                : Mono.error(new ProblemException(
                                        ProblemCode.PERMISSION_DENIED, "the node belongs to another subject"))));
    }

    /** Gives every node whose newest key is old a newer one; the one before stays valid. Tells how many. */
    public Mono<Long> rotate() {
        return some().expand(made -> made > 0 ? some() : Mono.empty()).reduce(0L, Long::sum);
    }

    private Mono<Long> some() {
        return ledger.transact(
                Guards.none(),
                tx -> rows.due(tx, rotation, ROTATED_AT_ONCE)
                        .flatMap(due ->
                                due.isEmpty() ? Mono.just(0L) : rows.rotate(tx, due, secrets(due.size()), rotation)));
    }

    private static List<byte[]> secrets(int count) {
        List<byte[]> secrets = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            secrets.add(Randomness.bytes(SECRET_BYTES));
        }
        return secrets;
    }
}
