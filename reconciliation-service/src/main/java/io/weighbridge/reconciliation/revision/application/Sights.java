package io.weighbridge.reconciliation.revision.application;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.key.Utf8;
import io.weighbridge.ledger.vocabulary.NodeState;
import io.weighbridge.ledger.vocabulary.SegmentState;
import io.weighbridge.reconciliation.revision.calls.Situations;
import io.weighbridge.reconciliation.revision.domain.ActiveOperation;
import io.weighbridge.reconciliation.revision.domain.Copy;
import io.weighbridge.reconciliation.revision.domain.CopyState;
import io.weighbridge.reconciliation.revision.domain.Host;
import io.weighbridge.reconciliation.revision.domain.Member;
import io.weighbridge.reconciliation.revision.domain.RevisionRow;
import io.weighbridge.reconciliation.revision.domain.RevisionSituation;
import io.weighbridge.reconciliation.revision.domain.Wanted;
import io.weighbridge.wire.ManifestReference;
import io.weighbridge.wire.MemberView;
import io.weighbridge.wire.NodeView;
import io.weighbridge.wire.OperationView;
import io.weighbridge.wire.Placement;
import io.weighbridge.wire.ReplicaView;
import io.weighbridge.wire.RevisionView;
import io.weighbridge.wire.SegmentView;
import io.weighbridge.wire.Situation;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Takes sights: what metadata-service tells, in the domain's words, with what agents know of copies in flight. */
final class Sights {

    private final Situations situations;
    private final FlightControl flights;
    private final Setbacks setbacks;

    Sights(Situations situations, FlightControl flights, Setbacks setbacks) {
        this.situations = situations;
        this.flights = flights;
        this.setbacks = setbacks;
    }

    Mono<Sight> take(RevisionId revision) {
        return situations
                .read(revision)
                .flatMap(situation -> flights.abandoned(revision, situation)
                        .map(abandoned -> toSight(revision, situation, abandoned, setbacks.shunned(revision))));
    }

    static Sight toSight(RevisionId revision, Situation situation, Set<UUID> abandoned, Set<UUID> shunned) {
        Map<UUID, NodeView> nodes =
                situation.nodes().stream().collect(Collectors.toMap(NodeView::nodeId, node -> node));
        List<Member> members = situation.members().stream()
                .sorted(Comparator.comparing(MemberView::key, Utf8.ORDER))
                .map(member -> toMember(member, nodes, abandoned))
                .toList();
        Long heartbeatAge = situation.importHeartbeatAgeMs();
        RevisionSituation seen = new RevisionSituation(
                toRow(situation.revision(), situation),
                toOperation(situation.operation()),
                situation.liveLeases(),
                heartbeatAge == null ? null : Duration.ofMillis(heartbeatAge),
                members,
                RevisionSituation.byId(
                        situation.nodes().stream().map(Sights::toHost).toList()),
                shunned);
        Map<UUID, String> urls = situation.nodes().stream().collect(Collectors.toMap(NodeView::nodeId, NodeView::url));
        return new Sight(revision, situation.revision().tenantId(), situation.databaseTime(), seen, urls);
    }

    private static RevisionRow toRow(RevisionView row, Situation situation) {
        ManifestReference manifest = row.manifest();
        Long fence = row.commitFence();
        return new RevisionRow(
                row.availability(),
                row.residency(),
                row.metadataGeneration(),
                row.manifestKey(),
                manifest == null || fence == null
                        ? null
                        : new RevisionRow.Published(
                                manifest.manifestSha256(),
                                manifest.payloadKeysSha256(),
                                manifest.payloadCount(),
                                manifest.logicalBytes(),
                                fence),
                toWanted(row.placement()),
                situation.lastResidencyTarget(),
                row.drainDeadline());
    }

    private static Wanted toWanted(Placement placement) {
        List<UUID> nodes = placement.nodes();
        Map<String, String> labels = placement.nodeLabels();
        return new Wanted(
                placement.memoryReplicas(),
                placement.coldReplicas(),
                nodes == null ? null : new HashSet<>(nodes),
                labels == null ? Map.of() : labels);
    }

    private static @Nullable ActiveOperation toOperation(@Nullable OperationView operation) {
        return operation == null
                ? null
                : new ActiveOperation(
                        operation.operationId(),
                        operation.kind(),
                        operation.automatic(),
                        operation.processedMembers(),
                        operation.cursor());
    }

    private static Member toMember(MemberView member, Map<UUID, NodeView> nodes, Set<UUID> abandoned) {
        List<Copy> copies = member.replicas().stream()
                .flatMap(replica -> state(replica, nodes, abandoned).stream()
                        .map(state -> new Copy(
                                replica.replicaId(), replica.nodeId(), replica.segmentId(), replica.tier(), state)))
                .toList();
        return new Member(member.key(), member.type(), member.size(), member.digest(), copies);
    }

    private static Optional<CopyState> state(ReplicaView replica, Map<UUID, NodeView> nodes, Set<UUID> abandoned) {
        return switch (replica.state()) {
            case INITIALIZED, PROCESSING ->
                Optional.of(abandoned.contains(replica.replicaId()) ? CopyState.ABANDONED : CopyState.MOVING);
            case COMPLETE -> {
                if (replica.readable()) {
                    yield Optional.of(CopyState.READABLE);
                }
                yield Optional.of(isReturning(replica, nodes) ? CopyState.RETURNING : CopyState.UNREADABLE);
            }
            case FAILED, REMOVED -> Optional.empty();
        };
    }

    private static boolean isReturning(ReplicaView replica, Map<UUID, NodeView> nodes) {
        NodeView node = nodes.get(replica.nodeId());
        return node != null
                && node.state() != NodeState.DEAD
                && node.segments().stream()
                        .anyMatch(segment -> segment.segmentId().equals(replica.segmentId())
                                && segment.state() == SegmentState.VERIFYING);
    }

    private static Host toHost(NodeView node) {
        return new Host(
                node.nodeId(),
                node.state(),
                node.labels(),
                node.segments().stream().map(Sights::toRoom).toList());
    }

    private static Host.Room toRoom(SegmentView segment) {
        return new Host.Room(
                segment.segmentId(), segment.tier(), segment.state(), segment.capacity() - segment.usedBytes());
    }
}
