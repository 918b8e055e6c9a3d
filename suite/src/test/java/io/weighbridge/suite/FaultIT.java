package io.weighbridge.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.client.rest.Rest;
import io.weighbridge.client.weights.FileComparison;
import io.weighbridge.client.weights.HeldLease;
import io.weighbridge.client.weights.Progress;
import io.weighbridge.client.weights.PublishOptions;
import io.weighbridge.client.weights.Publisher;
import io.weighbridge.client.weights.RevisionReader;
import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.NodeState;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.manifest.Dtype;
import io.weighbridge.manifest.SourceTensor;
import io.weighbridge.manifest.layout.SyntheticCheckpoint;
import io.weighbridge.manifest.packing.Packing;
import io.weighbridge.manifest.safetensors.Checkpoint;
import io.weighbridge.suite.run.ChildProcess;
import io.weighbridge.suite.run.Readiness;
import io.weighbridge.suite.run.RunningSuite;
import io.weighbridge.suite.run.SuiteSettings;
import io.weighbridge.wire.AcquiredLease;
import io.weighbridge.wire.LeaseView;
import io.weighbridge.wire.NodeView;
import io.weighbridge.wire.Placement;
import io.weighbridge.wire.ReplicaView;
import io.weighbridge.wire.RevisionView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: real processes that are killed half-way leave nothing half-published, lose nothing acknowledged, and the same
 * command works afterwards. Method: the suite as processes; kill -9 at the first byte of an upload and of a move, and of
 * PostgreSQL under load.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FaultIT {

    private static final Duration LIMIT = Duration.ofSeconds(90);

    @TempDir
    private static Path directory;

    private static RunningSuite suite;
    private static GatewayClient gateway;
    private static Checkpoint checkpoint;

    @BeforeAll
    static void start() throws IOException {
        suite = RunningSuite.start(
                new SuiteSettings(
                        0,
                        directory.resolve("suite"),
                        2,
                        true,
                        SuiteSettings.MEMORY_BYTES,
                        List.of("weighbridge.nodes.suspect-after=2s", "weighbridge.nodes.dead-after=4s")),
                part -> {});
        Readiness.await(suite.gatewayUrl(), Duration.ofSeconds(120));
        gateway = new GatewayClient(new Rest(null), suite.gatewayUrl());
        Path files = Files.createDirectories(directory.resolve("checkpoint"));
        List<SourceTensor> tensors = IntStream.range(0, 24)
                .mapToObj(i -> new SourceTensor(
                        "layer." + i, Dtype.F32, List.of(1024L, 1024L), Path.of("model.safetensors"), 0))
                .toList();
        SyntheticCheckpoint.write(files, tensors, 7);
        checkpoint = Checkpoint.open(files);
    }

    @AfterAll
    static void stop() {
        suite.close();
    }

    @Test
    @Order(1)
    void anAgentKilledInTheMiddleOfAnUpload() throws Exception {
        RevisionIdentity identity = new RevisionIdentity("default", "faults", "upload", "r", 1);
        UUID first = node(1);
        Progress killing = new KillAtFirstByte("upload", 1);
        try {
            new Publisher(gateway, options(first), killing).publish(identity, checkpoint);
            // Fast enough to finish elsewhere or before the kill: then the result must simply be whole.
        } catch (ProblemException refused) {
            RevisionView half = gateway.revision(identity.id().hex());
            assertThat(half.availability()).isEqualTo(Availability.IMPORTING);
            assertThat(half.manifest()).isNull();
        }
        suite.restartAgent(1);
        awaitLive(first);
        await("published after the restart", () -> publishes(identity, first));
        verify(identity);
    }

    @Test
    @Order(2)
    void anAgentKilledInTheMiddleOfAMove() throws Exception {
        RevisionIdentity identity = new RevisionIdentity("default", "faults", "move", "r", 1);
        UUID first = node(1);
        UUID second = node(2);
        RevisionView ready = new Publisher(gateway, options(first), Progress.SILENT).publish(identity, checkpoint);
        gateway.placement(ready.revisionId(), ready.metadataGeneration(), new Placement(1, 0, List.of(second), null));
        await(
                "the move has begun",
                () -> replicas(identity).stream().anyMatch(r -> r.nodeId().equals(second)));
        kill(2);
        assertThat(gateway.revision(ready.revisionId()).availability()).isEqualTo(Availability.READY);
        suite.restartAgent(2);
        await("moved after the restart", () -> {
            RevisionView now = gateway.revision(ready.revisionId());
            return now.availability() == Availability.READY
                    && now.operation() == OperationKind.NONE
                    && now.residency() == Residency.HOT
                    && replicas(identity).stream()
                            .filter(ReplicaView::readable)
                            .allMatch(r -> r.nodeId().equals(second));
        });
        verify(identity);
    }

    @Test
    @Order(3)
    void postgresqlKilledUnderLoad() throws Exception {
        RevisionIdentity identity = new RevisionIdentity("default", "faults", "database", "r", 1);
        RevisionView ready = new Publisher(gateway, options(node(1)), Progress.SILENT).publish(identity, checkpoint);
        List<AcquiredLease> acknowledged = new ArrayList<>();
        AtomicBoolean stopped = new AtomicBoolean();
        Thread load = Thread.ofVirtual().start(() -> {
            for (int i = 0; !stopped.get(); i++) {
                try {
                    acknowledged.add(gateway.acquire(
                            ready.revisionId(), ready.metadataGeneration(), "holder-" + i, Duration.ofHours(1)));
                } catch (ProblemException unavailable) {
                    // Not acknowledged: it may or may not be there.
                }
            }
        });
        await("some leases before the crash", () -> acknowledged.size() > 20);
        suite.crashDatabase();
        int atCrash = acknowledged.size();
        await("leases again after the crash", () -> acknowledged.size() > atCrash + 20);
        stopped.set(true);
        load.join();
        List<UUID> kept = new ArrayList<>();
        String token = null;
        do {
            var page = gateway.leases(ready.revisionId(), token);
            page.leases().stream().map(LeaseView::leaseId).forEach(kept::add);
            token = page.nextPageToken();
        } while (token != null);
        assertThat(kept)
                .containsAll(acknowledged.stream()
                        .map(lease -> lease.lease().leaseId())
                        .toList());
        assertThat(gateway.revision(ready.revisionId()).availability()).isEqualTo(Availability.READY);
        verify(identity);
    }

    /** Kills an agent when the first bytes of a stage are done. */
    private record KillAtFirstByte(String stage, int agent, AtomicBoolean armed) implements Progress {

        KillAtFirstByte(String stage, int agent) {
            this(stage, agent, new AtomicBoolean());
        }

        @Override
        public void stage(String name, long totalBytes) {
            armed.set(name.equals(stage));
        }

        @Override
        public void advance(long bytes) {
            if (armed.compareAndSet(true, false)) {
                kill(agent);
            }
        }

        @Override
        public void finished() {}
    }

    private static void kill(int agent) {
        ((ChildProcess) suite.agents().get(agent - 1)).kill();
    }

    private static boolean publishes(RevisionIdentity identity, UUID node) {
        try {
            return new Publisher(gateway, options(node), Progress.SILENT)
                            .publish(identity, checkpoint)
                            .availability()
                    == Availability.READY;
        } catch (ProblemException notYet) {
            return false;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static PublishOptions options(UUID node) {
        return new PublishOptions(
                Packing.DEFAULT.withTarget(4 << 20), new Placement(1, 0, null, null), node, Map.of(), 2);
    }

    /** Every byte equals the files', read under a lease. */
    private static void verify(RevisionIdentity identity) throws IOException {
        RevisionView revision = gateway.lookup(identity);
        try (HeldLease lease = HeldLease.acquire(gateway, revision, "verify", Duration.ofSeconds(10));
                FileComparison comparison = new FileComparison(checkpoint.tensors())) {
            RevisionReader reader = new RevisionReader(gateway, 2, null, Progress.SILENT);
            reader.read(reader.manifest(revision), lease, comparison);
            assertThat(comparison.comparedBytes()).isEqualTo(24L * 1024 * 1024 * 4);
        }
    }

    private static UUID node(int number) {
        String url = suite.agents().get(number - 1).url();
        return gateway.nodes(null).nodes().stream()
                .filter(node -> node.url().equals(url))
                .map(NodeView::nodeId)
                .findFirst()
                .orElseThrow();
    }

    private static void awaitLive(UUID node) {
        await(
                "the agent is back",
                () -> gateway.nodes(null).nodes().stream()
                        .anyMatch(n -> n.nodeId().equals(node)
                                && n.state() == NodeState.LIVE
                                && n.url().equals(suite.agents().getFirst().url())));
    }

    private static List<ReplicaView> replicas(RevisionIdentity identity) {
        return gateway.members(identity.id().hex(), null).members().stream()
                .flatMap(member -> member.replicas().stream())
                .toList();
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline)
                    .as("within %s: %s", LIMIT, what)
                    .isNegative();
            LockSupport.parkNanos(100_000_000);
        }
    }
}
