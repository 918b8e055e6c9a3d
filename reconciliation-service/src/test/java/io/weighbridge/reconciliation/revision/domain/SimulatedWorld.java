package io.weighbridge.reconciliation.revision.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.NodeState;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.ledger.vocabulary.SegmentState;
import io.weighbridge.ledger.vocabulary.Tier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A ledger, nodes and agents for simulations, written from the spec and not from the planner: it takes actions as
 * metadata-service would, and asserts at each that no readable byte is lost that must not be.
 */
public final class SimulatedWorld {

    public static final long SIZE = 10;
    public static final String MANIFEST = "m/manifest";

    /** A copy; {@code transfer} is what its agent knows of it. */
    public static final class Replica {
        public final UUID id;
        public final String key;
        public final UUID node;
        public final Tier tier;
        public boolean complete;
        public boolean transfer;

        Replica(UUID id, String key, UUID node, Tier tier) {
            this.id = id;
            this.key = key;
            this.node = node;
            this.tier = tier;
        }
    }

    public static final class Node {
        public final UUID id;
        public final long memory;
        public final long disk;
        public boolean alive = true;

        Node(UUID id, long memory, long disk) {
            this.id = id;
            this.memory = memory;
            this.disk = disk;
        }
    }

    public final RandomGenerator random;
    public final Map<UUID, Node> nodes = new LinkedHashMap<>();
    public final TreeMap<String, Map<UUID, Replica>> members = new TreeMap<>();
    public Availability availability = Availability.READY;
    public Residency residency = Residency.HOT;
    public Residency lastTarget = Residency.HOT;
    public OperationKind operation = OperationKind.NONE;
    public boolean automatic;
    public UUID operationId = new UUID(0, 0);
    public long generation = 2;
    public long leases;
    public long processed;

    public @Nullable String cursor;

    public Wanted wanted = new Wanted(1, 0, null, Map.of());
    public final List<String> refusals = new ArrayList<>();

    /** An uploaded revision on four nodes with room for any number of its copies. */
    public static SimulatedWorld roomy(RandomGenerator random) {
        SimulatedWorld world = new SimulatedWorld(random);
        List<UUID> ids = Stream.generate(() -> new UUID(random.nextLong(), random.nextLong()))
                .limit(4)
                .toList();
        world.nodes.clear();
        ids.forEach(id -> world.nodes.put(id, new Node(id, 100 * SIZE, 100 * SIZE)));
        List.copyOf(world.members.keySet()).forEach(key -> {
            world.copies(key).clear();
            world.reserve(key, ids.get(random.nextInt(4)), Tier.MEMORY).complete = true;
        });
        return world;
    }

    public SimulatedWorld(RandomGenerator random) {
        this.random = random;
        int nodeCount = 2 + random.nextInt(4);
        int memberCount = 2 + random.nextInt(5);
        for (int i = 0; i < nodeCount; i++) {
            UUID id = new UUID(random.nextLong(), random.nextLong());
            nodes.put(id, new Node(id, SIZE * random.nextInt(memberCount, 4 * memberCount), SIZE * 3 * memberCount));
        }
        for (int i = 0; i < memberCount; i++) {
            String key = i == 0 ? MANIFEST : "p/" + i;
            members.put(key, new LinkedHashMap<>());
            Node home = anyNode();
            reserve(key, home.id, Tier.MEMORY).complete = true;
        }
    }

    public Node anyNode() {
        List<Node> all = List.copyOf(nodes.values());
        return all.get(random.nextInt(all.size()));
    }

    public Replica reserve(String key, UUID node, Tier tier) {
        Replica replica = new Replica(new UUID(random.nextLong(), random.nextLong()), key, node, tier);
        copies(key).put(replica.id, replica);
        return replica;
    }

    public Map<UUID, Replica> copies(String key) {
        return members.computeIfAbsent(key, _ -> new LinkedHashMap<>());
    }

    public Stream<Replica> all() {
        return members.values().stream().flatMap(copies -> copies.values().stream());
    }

    public long used(UUID node, Tier tier) {
        return all().filter(replica -> replica.node.equals(node) && replica.tier == tier)
                        .count()
                * SIZE;
    }

    public boolean isReadable(Replica replica) {
        Node node = nodes.get(replica.node);
        return replica.complete && node != null && node.alive;
    }

    public long readable(String key) {
        return copies(key).values().stream().filter(this::isReadable).count();
    }

    long readable(String key, Tier tier) {
        return copies(key).values().stream()
                .filter(replica -> replica.tier == tier && isReadable(replica) && allowed(replica.node))
                .map(replica -> replica.node)
                .distinct()
                .count();
    }

    boolean allowed(UUID node) {
        Set<UUID> only = wanted.nodes();
        return only == null || only.contains(node);
    }

    public long free(UUID id, Tier tier) {
        Node node = Objects.requireNonNull(nodes.get(id));
        return (tier == Tier.MEMORY ? node.memory : node.disk) - used(id, tier);
    }

    public RevisionSituation see() {
        List<Member> seen = new ArrayList<>();
        members.forEach((key, copies) -> seen.add(new Member(
                key,
                key.equals(MANIFEST) ? ObjectType.METADATA : ObjectType.WEIGHT,
                SIZE,
                "sha",
                copies.values().stream()
                        .map(replica -> new Copy(
                                replica.id,
                                replica.node,
                                segment(replica.node, replica.tier),
                                replica.tier,
                                state(replica)))
                        .toList())));
        List<String> payloads =
                members.keySet().stream().filter(key -> !key.equals(MANIFEST)).toList();
        RevisionRow row = new RevisionRow(
                availability,
                residency,
                generation,
                MANIFEST,
                new RevisionRow.Published(
                        "sha", CanonicalKeys.payloadKeysSha256(payloads), payloads.size(), SIZE * payloads.size(), 1),
                wanted,
                lastTarget,
                null);
        ActiveOperation active = operation == OperationKind.NONE
                ? null
                : new ActiveOperation(operationId, operation, automatic, processed, cursor);
        return new RevisionSituation(row, active, leases, null, seen, hosts(), Set.of());
    }

    private Map<UUID, Host> hosts() {
        Map<UUID, Host> hosts = new HashMap<>();
        nodes.forEach((id, node) -> hosts.put(
                id,
                new Host(
                        id,
                        node.alive ? NodeState.LIVE : NodeState.DEAD,
                        Map.of(),
                        Stream.of(Tier.MEMORY, Tier.LOCAL_DISK)
                                .map(tier ->
                                        new Host.Room(segment(id, tier), tier, SegmentState.MOUNTED, free(id, tier)))
                                .toList())));
        return hosts;
    }

    public static UUID segment(UUID node, Tier tier) {
        return new UUID(node.getMostSignificantBits(), tier.ordinal());
    }

    private CopyState state(Replica replica) {
        if (replica.complete) {
            return isReadable(replica) ? CopyState.READABLE : CopyState.UNREADABLE;
        }
        Node node = nodes.get(replica.node);
        return replica.transfer && node != null && node.alive ? CopyState.MOVING : CopyState.ABANDONED;
    }

    /** Transfers that are running end, one way or another. */
    void letTransfersEnd(int failPercent) {
        all().filter(replica -> replica.transfer).toList().forEach(replica -> {
            int dice = random.nextInt(100);
            Node node = Objects.requireNonNull(nodes.get(replica.node));
            if (!node.alive || dice < failPercent || readable(replica.key) == 0) {
                replica.transfer = false;
            } else if (dice < failPercent + 50) {
                replica.transfer = false;
                replica.complete = true;
            }
        });
        // What an ended operation has left behind, the ledger takes back by itself when its tokens expire.
        if (operation == OperationKind.NONE) {
            members.values()
                    .forEach(copies -> copies.values().removeIf(replica -> !replica.complete && !replica.transfer));
        }
    }

    /** What a returning node still has: its disk, never its memory. */
    public void returnOf(Node node) {
        node.alive = true;
        members.values()
                .forEach(copies -> copies.values()
                        .removeIf(replica -> replica.node.equals(node.id) && replica.tier == Tier.MEMORY));
    }

    public void take(Action action) {
        switch (action) {
            case Action.CopyMember(String key, List<UUID> sources, Tier tier, UUID node) ->
                copy(key, sources, tier, node);
            case Action.RetireReplicas(List<UUID> ids, Action.Reason _) -> ids.forEach(this::retire);
            case Action.ReportProgress(long count, String last) -> {
                processed = count;
                cursor = last;
            }
            case Action.Finish _ -> finish();
            case Action.FinishDelete() -> {
                assertThat(all()).as("copies left at the end of a delete").isEmpty();
                assertThat(leases).isZero();
                availability = Availability.DELETED;
                residency = Residency.ABSENT;
            }
            case Action.Observe() -> observe();
            case Action.StartRepair(long expected) -> {
                if (expected != generation || operation != OperationKind.NONE) {
                    refusals.add("stale repair");
                } else {
                    start(OperationKind.REPAIRING, true);
                }
            }
            case Action.AbortImport _ -> throw new AssertionError("nothing is being imported");
        }
    }

    public void start(OperationKind kind, boolean byUs) {
        operation = kind;
        automatic = byUs;
        operationId = new UUID(random.nextLong(), random.nextLong());
        processed = 0;
        cursor = null;
        generation++;
    }

    public void end() {
        operation = OperationKind.NONE;
        generation++;
    }

    private void copy(String key, List<UUID> sources, Tier tier, UUID node) {
        if (operation == OperationKind.NONE) {
            refusals.add("a copy without an operation");
            return;
        }
        assertThat(sources).isNotEmpty();
        assertThat(allowed(node)).as("placement").isTrue();
        if (free(node, tier) < SIZE) {
            refusals.add("no space");
            return;
        }
        boolean twice = copies(key).values().stream()
                .anyMatch(replica ->
                        replica.node.equals(node) && replica.tier == tier && state(replica) == CopyState.MOVING);
        assertThat(twice).as("two copies of %s on their way to one place", key).isFalse();
        reserve(key, node, tier).transfer = true;
    }

    private void retire(UUID id) {
        for (Map.Entry<String, Map<UUID, Replica>> member : members.entrySet()) {
            Replica replica = member.getValue().get(id);
            if (replica != null) {
                boolean deleting = availability == Availability.DELETING;
                boolean last = isReadable(replica) && readable(member.getKey()) == 1;
                assertThat(last && !deleting)
                        .as("the last readable copy of %s is retired", replica.key)
                        .isFalse();
                assertThat(deleting && leases > 0).as("retired under a lease").isFalse();
                if (deleting && member.getKey().equals(MANIFEST)) {
                    assertThat(all().allMatch(other -> other.key.equals(MANIFEST)))
                            .as("manifest last")
                            .isTrue();
                }
                member.getValue().remove(id);
                return;
            }
        }
    }

    private void finish() {
        boolean reached = switch (operation) {
            case EVICTING -> seenResidency() == Residency.COLD;
            case REHYDRATING -> seenResidency() == Residency.HOT;
            case REPAIRING -> members.keySet().stream().allMatch(this::isPlaced);
            case NONE -> false;
        };
        if (!reached) {
            refusals.add("finish of " + operation + " is not ready");
            return;
        }
        if (operation != OperationKind.REPAIRING) {
            lastTarget = operation == OperationKind.EVICTING ? Residency.COLD : Residency.HOT;
        }
        end();
        residency = seenResidency();
    }

    public boolean isPlaced(String key) {
        boolean hot = lastTarget != Residency.COLD;
        return readable(key) > 0
                && (!hot || readable(key, Tier.MEMORY) >= wanted.memoryReplicas())
                && readable(key, Tier.LOCAL_DISK) >= (hot ? wanted.coldReplicas() : Math.max(1, wanted.coldReplicas()));
    }

    void observe() {
        Availability now = members.keySet().stream().allMatch(key -> readable(key) > 0)
                ? Availability.READY
                : Availability.DEGRADED;
        if (now != availability || seenResidency() != residency) {
            availability = now;
            residency = seenResidency();
            generation++;
        } else {
            refusals.add("an observation of nothing new");
        }
    }

    public Residency seenResidency() {
        long hot =
                members.keySet().stream().filter(key -> any(key, Tier.MEMORY)).count();
        long cold = members.keySet().stream()
                .filter(key -> any(key, Tier.LOCAL_DISK))
                .count();
        if (hot == members.size()) {
            return Residency.HOT;
        }
        if (hot == 0 && cold == 0) {
            return Residency.ABSENT;
        }
        return hot == 0 && cold == members.size() ? Residency.COLD : Residency.MIXED;
    }

    private boolean any(String key, Tier tier) {
        return copies(key).values().stream().anyMatch(replica -> replica.tier == tier && isReadable(replica));
    }
}
