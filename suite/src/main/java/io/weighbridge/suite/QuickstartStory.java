package io.weighbridge.suite;

import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.client.terminal.Sizes;
import io.weighbridge.client.terminal.Table;
import io.weighbridge.client.weights.FileComparison;
import io.weighbridge.client.weights.HeldLease;
import io.weighbridge.client.weights.Progress;
import io.weighbridge.client.weights.PublishOptions;
import io.weighbridge.client.weights.Publisher;
import io.weighbridge.client.weights.RevisionReader;
import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.manifest.Extent;
import io.weighbridge.manifest.SourceTensor;
import io.weighbridge.manifest.StoredWeightManifest;
import io.weighbridge.manifest.packing.Packing;
import io.weighbridge.manifest.safetensors.Checkpoint;
import io.weighbridge.wire.MemberView;
import io.weighbridge.wire.NodeView;
import io.weighbridge.wire.Placement;
import io.weighbridge.wire.ReplicaView;
import io.weighbridge.wire.RevisionView;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One revision's whole life through the public REST surface: published, found, leased, moved to another node, verified
 * there byte for byte, protected from a delete, evicted, rehydrated, deleted. Each step checks what it claims.
 */
final class QuickstartStory {

    private static final Duration STEP_LIMIT = Duration.ofMinutes(5);
    private static final Duration LONG_POLL = Duration.ofSeconds(10);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final GatewayClient gateway;
    private final Path directory;
    private final long objectBytes;
    private final Progress progress;
    private final Table table = Table.of("STEP", "WHAT WAS CHECKED", "TIME", "BYTES", "RATE");
    private int checks;
    private @Nullable String failure;

    /** @param objectBytes how large objects shall become */
    QuickstartStory(GatewayClient gateway, Path directory, long objectBytes, Progress progress) {
        this.gateway = gateway;
        this.directory = directory;
        this.objectBytes = objectBytes;
        this.progress = progress;
    }

    /** What a step reports: how many bytes it concerned, and what it checked. */
    private record Done(long bytes, String what) {}

    private interface Step {
        Done run() throws IOException;
    }

    /** Tells the story and returns whether every check held. */
    boolean tell(Consumer<String> told) {
        try {
            run(told);
            return true;
        } catch (IOException | RuntimeException e) {
            progress.finished();
            failure = e.getMessage() == null ? e.toString() : e.getMessage();
            return false;
        }
    }

    String table() {
        return table.toString();
    }

    /** The last line. */
    String outcome(long startedNanos) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNanos);
        return failure == null ? "PASSED " + checks + " checks in " + seconds + " s" : "FAILED " + failure;
    }

    private void run(Consumer<String> told) throws IOException {
        Checkpoint checkpoint = Checkpoint.open(directory);
        List<SourceTensor> tensors = checkpoint.tensors();
        long bytes = tensors.stream().mapToLong(QuickstartStory::bytes).sum();
        told.accept("Checkpoint " + directory + ": " + tensors.size() + " tensors, " + Sizes.bytes(bytes));
        List<NodeView> nodes = gateway.nodes(null).nodes();
        check(nodes.size() >= 2, "two node agents are registered");
        UUID first = nodes.get(0).nodeId();
        UUID second = nodes.get(1).nodeId();
        RevisionIdentity identity = new RevisionIdentity("default", "quickstart", checkpointName(), "step-1", 1);
        String id = identity.id().hex();

        step("publish", () -> publish(identity, checkpoint, first));
        step("look up", () -> {
            RevisionView found = gateway.lookup(identity);
            check(found.revisionId().equals(id), "found by its exact identity");
            check(found.availability() == Availability.READY, "READY");
            return new Done(0, "found by exact identity, READY and " + found.residency());
        });
        RevisionView ready = gateway.revision(id);
        try (HeldLease lease = HeldLease.acquire(gateway, ready, "quickstart", Duration.ofSeconds(10))) {
            step("lease", () -> new Done(0, "lease " + lease.leaseId() + " is held and renewed"));
            step("move", () -> move(id, bytes, second));
            step("verify", () -> verify(lease, tensors, bytes, second));
            step("delete under lease", () -> refusedDelete(id));
        }
        step("return lease", () -> {
            check(gateway.leases(id, null).leases().isEmpty(), "no lease is left");
            return new Done(0, "no lease is left");
        });
        step("evict", () -> residency(id, Residency.COLD, bytes));
        step("rehydrate", () -> residency(id, Residency.HOT, bytes));
        step("verify again", () -> {
            try (HeldLease lease =
                    HeldLease.acquire(gateway, gateway.revision(id), "quickstart-2", Duration.ofSeconds(10))) {
                return verify(lease, tensors, bytes, null);
            }
        });
        step("delete", () -> delete(id, identity));
    }

    private Done publish(RevisionIdentity identity, Checkpoint checkpoint, UUID node) throws IOException {
        PublishOptions options = new PublishOptions(
                Packing.DEFAULT.withTarget(objectBytes),
                new Placement(1, 0, List.of(node), null),
                node,
                Map.of("source", "quickstart"),
                4);
        RevisionView committed = new Publisher(gateway, options, progress).publish(identity, checkpoint);
        check(committed.availability() == Availability.READY, "READY after the commit");
        check(committed.manifest() != null, "the manifest reference is published");
        List<MemberView> members = members(committed.revisionId());
        check(members.size() == committed.expectedPayloadCount() + 1, "payloads and one manifest are members");
        check(onlyOn(members, node, Tier.MEMORY), "every member is in the first node's memory");
        return new Done(
                committed.expectedLogicalBytes(), members.size() + " objects in the first node's memory, READY");
    }

    private Done move(String id, long bytes, UUID node) {
        RevisionView before = gateway.revision(id);
        gateway.placement(id, before.metadataGeneration(), new Placement(1, 0, List.of(node), null));
        await("every copy on the second node", () -> {
            RevisionView now = gateway.revision(id);
            return now.operation() == OperationKind.NONE
                    && now.availability() == Availability.READY
                    && onlyOn(members(id), node, Tier.MEMORY);
        });
        return new Done(bytes, "every copy is in the second node's memory, none elsewhere");
    }

    private Done verify(HeldLease lease, List<SourceTensor> tensors, long bytes, @Nullable UUID node)
            throws IOException {
        RevisionReader reader = new RevisionReader(gateway, 4, node, progress);
        StoredWeightManifest manifest = reader.manifest(lease.revision());
        check(manifest.tensors().size() == tensors.size(), "the manifest has every tensor");
        try (FileComparison comparison = new FileComparison(tensors)) {
            reader.read(manifest, lease, comparison);
            check(comparison.comparedBytes() == bytes, "every tensor byte was compared with the files");
        }
        return new Done(bytes, tensors.size() + " tensors equal the files, byte for byte");
    }

    private Done refusedDelete(String id) {
        RevisionView before = gateway.revision(id);
        try {
            gateway.delete(id, before.metadataGeneration(), false, null, null);
            check(false, "a delete under a lease is refused");
        } catch (ProblemException refused) {
            check(refused.problem().code() == ProblemCode.BUSY, "it is refused with BUSY");
        }
        check(gateway.revision(id).equals(before), "the refused delete changed nothing");
        return new Done(0, "refused with BUSY, nothing changed");
    }

    private Done residency(String id, Residency target, long bytes) {
        RevisionView before = gateway.revision(id);
        UUID operation =
                gateway.residency(id, before.metadataGeneration(), target).operationId();
        await(
                "residency " + target,
                () -> !gateway.operation(operation, LONG_POLL).active());
        RevisionView after = gateway.revision(id);
        check(after.residency() == target, "residency is " + target);
        check(after.availability() == Availability.READY, "READY throughout");
        return new Done(bytes, "READY and " + target);
    }

    private Done delete(String id, RevisionIdentity identity) {
        RevisionView before = gateway.revision(id);
        gateway.delete(id, before.metadataGeneration(), true, null, null);
        await("the tombstone", () -> gateway.revisionAtRest(id, LONG_POLL).availability() == Availability.DELETED);
        RevisionView tombstone = gateway.revision(id);
        check(tombstone.residency() == Residency.ABSENT, "nothing is left");
        boolean listed =
                gateway.revisions(identity.namespace(), identity.resourceId(), false, null).revisions().stream()
                        .anyMatch(revision -> revision.revisionId().equals(id));
        check(!listed, "a tombstone is listed only when asked for");
        return new Done(0, "tombstone DELETED and ABSENT");
    }

    private void step(String name, Step step) throws IOException {
        long start = System.nanoTime();
        Done done = step.run();
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        String rate =
                done.bytes() == 0 ? "" : Sizes.bytes((long) (done.bytes() * 1e9 / Math.max(1, took.toNanos()))) + "/s";
        table.row(name, done.what(), Sizes.seconds(took), done.bytes() == 0 ? "" : Sizes.bytes(done.bytes()), rate);
    }

    private void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("not so: " + what);
        }
        checks++;
    }

    private void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + STEP_LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("not within " + STEP_LIMIT.toMinutes() + " min: " + what);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        checks++;
    }

    private List<MemberView> members(String id) {
        List<MemberView> members = new ArrayList<>();
        String token = null;
        do {
            var page = gateway.members(id, token);
            members.addAll(page.members());
            token = page.nextPageToken();
        } while (token != null);
        return members;
    }

    private static boolean onlyOn(List<MemberView> members, UUID node, Tier tier) {
        return members.stream().allMatch(member -> {
            List<ReplicaView> readable =
                    member.replicas().stream().filter(ReplicaView::readable).toList();
            return !readable.isEmpty()
                    && readable.stream().allMatch(replica -> replica.nodeId().equals(node) && replica.tier() == tier);
        });
    }

    private String checkpointName() {
        Path name = directory.toAbsolutePath().normalize().getFileName();
        return name == null ? "checkpoint" : name.toString();
    }

    private static long bytes(SourceTensor tensor) {
        return switch (Extent.of(tensor.dtype(), tensor.shape())) {
            case Extent.Sized sized -> sized.bytes();
            case Extent.Impossible impossible -> throw new IllegalStateException(impossible.message());
        };
    }
}
