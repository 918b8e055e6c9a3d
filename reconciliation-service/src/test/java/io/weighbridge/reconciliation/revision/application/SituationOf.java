package io.weighbridge.reconciliation.revision.application;

import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.vocabulary.NodeState;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.ReplicaState;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.ledger.vocabulary.SegmentState;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.reconciliation.revision.domain.SimulatedWorld;
import io.weighbridge.wire.ManifestReference;
import io.weighbridge.wire.MemberView;
import io.weighbridge.wire.NodeView;
import io.weighbridge.wire.OperationView;
import io.weighbridge.wire.Placement;
import io.weighbridge.wire.ReplicaView;
import io.weighbridge.wire.RevisionView;
import io.weighbridge.wire.SegmentView;
import io.weighbridge.wire.Situation;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A simulated world as metadata-service would tell it. */
record SituationOf(String id, SimulatedWorld world, String url) {

    Situation situation() {
        OperationView operation = world.operation == OperationKind.NONE ? null : operation();
        return new Situation(
                revision(),
                operation,
                world.leases,
                world.lastTarget,
                null,
                Instant.now(),
                world.members.keySet().stream().map(this::member).toList(),
                world.nodes.values().stream().map(this::node).toList());
    }

    Stream<ReplicaView> replicas(String key, @Nullable String lease) {
        if (!world.members.containsKey(key)) {
            return Stream.empty();
        }
        return world.copies(key).values().stream()
                .map(replica -> new ReplicaView(
                        replica.id,
                        replica.node,
                        url + "/agents/" + replica.node,
                        SimulatedWorld.segment(replica.node, replica.tier),
                        replica.tier,
                        replica.complete ? ReplicaState.COMPLETE : ReplicaState.PROCESSING,
                        world.isReadable(replica),
                        lease));
    }

    private RevisionView revision() {
        List<String> payloads = world.members.keySet().stream()
                .filter(key -> !key.equals(SimulatedWorld.MANIFEST))
                .toList();
        long bytes = SimulatedWorld.SIZE * payloads.size();
        String group = "weight:" + id;
        return new RevisionView(
                id,
                "default",
                "ns",
                "resource",
                "r1",
                1,
                payloads.size(),
                bytes,
                group,
                SimulatedWorld.MANIFEST,
                new ManifestReference(
                        SimulatedWorld.MANIFEST,
                        "sha",
                        group,
                        CanonicalKeys.payloadKeysSha256(payloads),
                        payloads.size(),
                        bytes),
                1L,
                world.availability,
                world.residency,
                world.operation,
                world.operation == OperationKind.NONE ? null : world.operationId,
                world.generation,
                Map.of(),
                new Placement(world.wanted.memoryReplicas(), world.wanted.coldReplicas(), null, null),
                Instant.EPOCH,
                Instant.EPOCH,
                Instant.EPOCH,
                null);
    }

    private OperationView operation() {
        return new OperationView(
                world.operationId,
                id,
                world.operation,
                world.operation == OperationKind.REPAIRING
                        ? null
                        : world.operation == OperationKind.EVICTING ? Residency.COLD : Residency.HOT,
                true,
                world.automatic,
                1,
                Instant.EPOCH,
                Instant.EPOCH,
                world.processed,
                world.members.size(),
                world.cursor,
                null);
    }

    private MemberView member(String key) {
        return new MemberView(
                key,
                key.equals(SimulatedWorld.MANIFEST) ? ObjectType.METADATA : ObjectType.WEIGHT,
                SimulatedWorld.SIZE,
                1,
                "sha",
                replicas(key, null).toList());
    }

    private NodeView node(SimulatedWorld.Node node) {
        return new NodeView(
                node.id,
                node.id,
                url + "/agents/" + node.id,
                Map.of(),
                node.alive ? NodeState.LIVE : NodeState.DEAD,
                null,
                Instant.EPOCH,
                List.of(segment(node, Tier.MEMORY, node.memory), segment(node, Tier.LOCAL_DISK, node.disk)));
    }

    private SegmentView segment(SimulatedWorld.Node node, Tier tier, long capacity) {
        return new SegmentView(
                SimulatedWorld.segment(node.id, tier),
                node.id,
                tier,
                SegmentState.MOUNTED,
                1,
                capacity,
                world.used(node.id, tier));
    }
}
