package io.weighbridge.metadata.revision.postgres;

import static io.weighbridge.metadata.revision.postgres.Columns.id;
import static io.weighbridge.metadata.revision.postgres.Columns.idOrNull;
import static io.weighbridge.metadata.revision.postgres.Columns.number;
import static io.weighbridge.metadata.revision.postgres.Columns.text;
import static io.weighbridge.metadata.revision.postgres.Columns.texts;
import static io.weighbridge.metadata.revision.postgres.Columns.time;
import static io.weighbridge.metadata.revision.postgres.Columns.timeOrNull;
import static io.weighbridge.metadata.revision.postgres.Columns.word;

import io.r2dbc.spi.Readable;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.NodeState;
import io.weighbridge.ledger.vocabulary.SegmentState;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.metadata.revision.RevisionViews;
import io.weighbridge.metadata.revision.domain.Operation;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import io.weighbridge.wire.Diagnosis;
import io.weighbridge.wire.MemberView;
import io.weighbridge.wire.NodeView;
import io.weighbridge.wire.SegmentView;
import io.weighbridge.wire.Situation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/** A revision with its members, nodes and leases, all statements in one read-only snapshot. */
public final class SituationReads {

    private static final String HEAD =
            "SELECT " + RevisionRows.REVISION + RevisionRows.OPERATION + """
            , date_trunc('milliseconds', clock_timestamp()) AS now,
            (SELECT count(*) FROM lease.revision_lease_v1 l
              WHERE l.revision_id = r.revision_id AND l.expires_at > clock_timestamp()
                AND l.fenced_metadata_generation <= r.metadata_generation) AS leases
            """ + RevisionRows.FROM + """
             WHERE r.revision_id = :id AND (CAST(:tenant AS text) IS NULL OR r.tenant_id = :tenant)
            """;

    private static final String NODES = """
            SELECT n.node_id, n.agent_incarnation, n.url, n.labels::text AS labels, n.state, n.last_heartbeat,
                   n.registered_at, s.segment_id, s.tier, s.state AS segment_state, s.segment_epoch, s.capacity,
                   s.used_bytes
              FROM metadata.node n LEFT JOIN metadata.segment s ON s.node_id = n.node_id
             ORDER BY n.node_id, s.segment_id
            """;

    private final Ledger ledger;

    public SituationReads(Ledger ledger) {
        this.ledger = ledger;
    }

    /** @param now the database's clock when it was read */
    record Head(Registered revision, long leases, Instant now) {}

    /** All that a reconciler plans from; empty when there is no such revision. */
    public Mono<Situation> situation(RevisionId id) {
        return ledger.snapshot(client -> head(client, id, null)
                .flatMap(head -> Mono.zip(MemberRows.page(client, id, null, "", Integer.MAX_VALUE), nodes(client))
                        .map(both -> situation(head, both.getT1(), both.getT2()))));
    }

    /** Why the revision can, or cannot, be read (spec 2.7); empty when there is no such revision. */
    public Mono<Diagnosis> diagnosis(RevisionId id, @Nullable String tenantId) {
        return ledger.snapshot(
                client -> head(client, id, tenantId).flatMap(head -> RevisionDiagnosis.read(client, head)));
    }

    private static Mono<Head> head(DatabaseClient client, RevisionId id, @Nullable String tenantId) {
        return Bindings.orNull(client.sql(HEAD).bind("id", id.hex()), "tenant", tenantId, String.class)
                .map(row -> new Head(RevisionRows.revision(row), number(row, "leases"), time(row, "now")))
                .one();
    }

    private static Situation situation(Head head, List<MemberView> members, List<NodeView> nodes) {
        Registered revision = head.revision();
        Operation operation = revision.operation();
        Instant beat = revision.session().beatAt();
        boolean importing = revision.availability() == Availability.IMPORTING;
        return new Situation(
                RevisionViews.of(revision),
                operation == null ? null : RevisionViews.of(revision.id(), operation),
                head.leases(),
                revision.lastTarget(),
                importing && beat != null
                        ? (Long) Math.max(0, Duration.between(beat, head.now()).toMillis())
                        : null,
                head.now(),
                members,
                nodes);
    }

    private static Mono<List<NodeView>> nodes(DatabaseClient client) {
        return client.sql(NODES)
                .map(SituationReads::node)
                .all()
                .collect(LinkedHashMap<UUID, NodeView>::new, SituationReads::add)
                .map(nodes -> List.copyOf(nodes.values()));
    }

    private static void add(Map<UUID, NodeView> nodes, NodeView node) {
        nodes.merge(node.nodeId(), node, (first, next) -> {
            List<SegmentView> segments = new ArrayList<>(first.segments());
            segments.addAll(next.segments());
            return with(first, segments);
        });
    }

    private static NodeView with(NodeView node, List<SegmentView> segments) {
        return new NodeView(
                node.nodeId(),
                node.agentIncarnation(),
                node.url(),
                node.labels(),
                node.state(),
                node.lastHeartbeat(),
                node.registeredAt(),
                segments);
    }

    private static NodeView node(Readable row) {
        return new NodeView(
                id(row, "node_id"),
                id(row, "agent_incarnation"),
                text(row, "url"),
                texts(row, "labels"),
                word(row, "state", NodeState.class),
                timeOrNull(row, "last_heartbeat"),
                time(row, "registered_at"),
                idOrNull(row, "segment_id") == null ? List.of() : List.of(segment(row)));
    }

    private static SegmentView segment(Readable row) {
        return new SegmentView(
                id(row, "segment_id"),
                id(row, "node_id"),
                word(row, "tier", Tier.class),
                word(row, "segment_state", SegmentState.class),
                number(row, "segment_epoch"),
                number(row, "capacity"),
                number(row, "used_bytes"));
    }
}
