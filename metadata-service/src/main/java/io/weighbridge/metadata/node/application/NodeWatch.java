package io.weighbridge.metadata.node.application;

import io.micrometer.core.instrument.MeterRegistry;
import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.ledger.store.OplogEntry;
import io.weighbridge.metadata.node.domain.Liveness;
import io.weighbridge.metadata.node.domain.Node;
import io.weighbridge.metadata.node.postgres.NodeProjection;
import io.weighbridge.metadata.node.postgres.NodeRows;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * Looks for silent nodes (spec 2.6). After a time in which the ledger took no heartbeats, silence proves nothing: for
 * one full interval nobody is declared dead (spec 1.9).
 */
public final class NodeWatch {

    private static final Logger LOG = LoggerFactory.getLogger(NodeWatch.class);
    private static final String SUBJECT = "service/metadata";

    private final Ledger ledger;
    private final NodeSettings settings;
    private final NodeRows rows;
    private final NodeProjection projection;
    private final NodeEntries entries;
    private final AtomicInteger heldBack = new AtomicInteger();
    private final AtomicReference<@Nullable Instant> lastLook = new AtomicReference<>();
    private final AtomicReference<@Nullable Instant> mayDieFrom = new AtomicReference<>();

    public NodeWatch(Ledger ledger, NodeSettings settings, JsonMapper json, MeterRegistry metrics) {
        this.ledger = ledger;
        this.settings = settings;
        this.rows = new NodeRows(json);
        this.projection = new NodeProjection(json);
        this.entries = new NodeEntries(json);
        metrics.gauge("weighbridge.nodes.death.held.back", heldBack);
    }

    /** One look at all nodes that have been silent for long. */
    public Mono<Void> look() {
        return ledger.transact(Guards.none(), this::look);
    }

    private Mono<Void> look(LedgerTransaction tx) {
        boolean mayDie = mayDie(tx.now());
        Instant since = tx.now().minus(settings.suspectAfter());
        return rows.lockSilent(tx::sql, since).flatMap(silent -> {
            if (silent.isEmpty()) {
                heldBack.set(0);
                return Mono.empty();
            }
            return rows.census(tx::sql, tx.now().minus(settings.deadAfter().multipliedBy(2)))
                    .flatMap(census -> {
                        Liveness.Findings findings = settings.liveness().judge(silent, census, mayDie, tx.now());
                        alarm(findings.heldBack());
                        return write(tx, findings.changed());
                    });
        });
    }

    /** The clock is the database's, so a pause of this process or of the ledger shows as a gap between two looks. */
    private boolean mayDie(Instant now) {
        Instant last = lastLook.getAndSet(now);
        Duration tolerated = settings.watchInterval().multipliedBy(3).plusSeconds(1);
        if (last == null || Duration.between(last, now).compareTo(tolerated) > 0) {
            mayDieFrom.set(now.plus(settings.deadAfter()));
        }
        Instant from = mayDieFrom.get();
        return from == null || !now.isBefore(from);
    }

    private Mono<Void> write(LedgerTransaction tx, List<Node> changed) {
        if (changed.isEmpty()) {
            return Mono.empty();
        }
        return rows.segments(tx::sql, changed.stream().map(Node::nodeId).toList())
                .flatMap(segments -> {
                    List<OplogEntry> log = changed.stream()
                            .map(node -> entries.changed(node, segments, SUBJECT))
                            .toList();
                    changed.forEach(node ->
                            LOG.warn("node {} is {}: last heartbeat {}", node.nodeId(), node.state(), node.lastSeen()));
                    return projection.states(tx::sql, changed).then(tx.append(log));
                });
    }

    private void alarm(int held) {
        if (heldBack.getAndSet(held) != held && held > 0) {
            LOG.error("{} nodes are silent at once, more than may die together: none is declared dead", held);
        }
    }
}
