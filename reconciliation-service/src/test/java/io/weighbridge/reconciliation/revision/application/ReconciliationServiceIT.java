package io.weighbridge.reconciliation.revision.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.http.HttpEdge;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.OplogEntry;
import io.weighbridge.ledger.store.Writer;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.EntryKind;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.reconciliation.ReconciliationService;
import io.weighbridge.reconciliation.revision.domain.SimulatedWorld;
import io.weighbridge.reconciliation.revision.domain.Wanted;
import io.weighbridge.testkit.TestLedger;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

/** The whole service on a real ledger against {@link StandIns}: what it is told to do gets done, whoever is killed. */
class ReconciliationServiceIT {

    private static final Duration LIMIT = Duration.ofSeconds(40);

    @RegisterExtension
    static final TestLedger LEDGER = TestLedger.perClass();

    private final StandIns peers = new StandIns();
    private final Disposable clockwork = Flux.interval(Duration.ofMillis(25)).subscribe(_ -> peers.letTransfersEnd());
    private final List<ConfigurableApplicationContext> instances = new ArrayList<>();

    @BeforeEach
    void empty() {
        LEDGER.sql("DELETE FROM reconciliation.work");
    }

    @AfterEach
    void stop() {
        instances.forEach(ConfigurableApplicationContext::close);
        clockwork.dispose();
        peers.close();
    }

    @Test
    void evictsRehydratesAndDeletes() {
        String id = world(3);
        start();

        operate(id, OperationKind.EVICTING);
        await(id, world -> world.operation == OperationKind.NONE && world.residency == Residency.COLD);
        assertThat(seen(id, SimulatedWorld::seenResidency)).isEqualTo(Residency.COLD);

        operate(id, OperationKind.REHYDRATING);
        await(id, world -> world.operation == OperationKind.NONE && world.residency == Residency.HOT);

        peers.with(id, world -> {
            world.leases = 1;
            world.availability = Availability.DELETING;
            return world.generation++;
        });
        wake(id);
        await(() -> queued() == 1);
        assertThat(seen(id, world -> world.all().findAny().isPresent()))
                .as("nothing goes under a lease")
                .isEqualTo(true);
        peers.with(id, world -> world.leases = 0);
        await(id, world -> world.availability == Availability.DELETED);
        await(() -> queued() == 0);
    }

    @Test
    void repairsWhatADeadNodeHeld() {
        String id = world(5);
        peers.with(id, world -> world.wanted = new Wanted(2, 1, null, Map.of()));
        start();
        await(id, world -> world.operation == OperationKind.NONE && placed(world));

        peers.with(id, world -> world.nodes.values().iterator().next().alive = false);

        await(
                id,
                world -> world.operation == OperationKind.NONE
                        && placed(world)
                        && world.availability == Availability.READY);
    }

    @Test
    void whatAnAgentHasForgottenIsOrderedAgain() {
        String id = world(3);
        peers.transfersRest = true;
        start();
        operate(id, OperationKind.EVICTING);
        await(() -> peers.ordered > 0);

        peers.forgetTransfers();
        peers.transfersRest = false;

        await(id, world -> world.operation == OperationKind.NONE && world.residency == Residency.COLD);
        assertThat(seen(id, world -> world.all().allMatch(replica -> replica.complete)))
                .as("nothing reserved is left")
                .isEqualTo(true);
    }

    @Test
    void aHangingAgentStallsOnlyWhatNeedsIt() {
        String slow = world(3);
        String quick = world(4);
        peers.with(slow, world -> {
            world.nodes.keySet().forEach(node -> peers.hanging.put(node, true));
            return 0;
        });
        start();
        operate(slow, OperationKind.EVICTING);
        operate(quick, OperationKind.EVICTING);

        await(quick, world -> world.operation == OperationKind.NONE && world.residency == Residency.COLD);
        assertThat(seen(slow, world -> world.operation)).isEqualTo(OperationKind.EVICTING);

        peers.hanging.clear();
        await(slow, world -> world.operation == OperationKind.NONE && world.residency == Residency.COLD);
    }

    @Test
    void theFeedWakes() {
        String id = world(3);
        start("weighbridge.reconciliation.sweep", "1h");
        await(() -> queued() == 0);

        operate(id, OperationKind.EVICTING);
        LEDGER.ledger(Writer.METADATA)
                .transact(
                        Guards.none(),
                        tx -> tx.append(new OplogEntry(
                                        EntryKind.OperationStarted,
                                        id,
                                        2,
                                        "default",
                                        new RevisionId(id),
                                        null,
                                        "test",
                                        "{}"))
                                .thenReturn(true))
                .block(LIMIT);

        await(id, world -> world.operation == OperationKind.NONE && world.residency == Residency.COLD);
    }

    @Test
    void anotherInstanceFinishesWhatAKilledOneBegan(@TempDir Path folder) throws IOException, InterruptedException {
        String id = world(3);
        operate(id, OperationKind.EVICTING);
        peers.transfersRest = true;
        Process process = startProcess(folder);
        try {
            await(() -> peers.ordered > 0);
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(seen(id, world -> world.operation)).isEqualTo(OperationKind.EVICTING);

        start();
        peers.transfersRest = false;

        await(id, world -> world.operation == OperationKind.NONE && world.residency == Residency.COLD);
        assertThat(peers.refused).doesNotContain("stale claim");
    }

    @Test
    void twoInstancesShareManyRevisions() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String id = world(100 + i);
            operate(id, OperationKind.EVICTING);
            ids.add(id);
        }
        start();
        start();

        for (String id : ids) {
            await(id, world -> world.operation == OperationKind.NONE && world.residency == Residency.COLD);
        }
        assertThat(peers.refused).doesNotContain("stale claim");
        instances.removeFirst().close();
        ids.forEach(id -> operate(id, OperationKind.REHYDRATING));
        for (String id : ids) {
            await(id, world -> world.operation == OperationKind.NONE && world.residency == Residency.HOT);
        }
    }

    @Test
    void tellsWhatItMeasures() throws IOException, InterruptedException {
        ConfigurableApplicationContext instance = start();
        String base = "http://127.0.0.1:" + HttpEdge.port(instance);

        String status = get(base + "/v1/reconciler/status");
        assertThat(status)
                .contains("\"revisions_by_availability\":{\"DEGRADED\":0")
                .contains("\"active_leases\":0", "\"pending_operations\":0", "\"failures\":0");
        await(() -> {
            try {
                return get(base + "/metrics").contains("weighbridge_revisions{availability=\"READY\"");
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static String get(String url) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private Object seen(String id, Function<SimulatedWorld, Object> look) {
        return peers.with(id, look);
    }

    private static boolean placed(SimulatedWorld world) {
        return world.members.keySet().stream().allMatch(world::isPlaced);
    }

    /** A revision that has been uploaded, with room for what the tests ask. */
    private String world(int seed) {
        String id = "%064x".formatted(seed);
        peers.add(id, SimulatedWorld.roomy(new SplittableRandom(seed)));
        return id;
    }

    private void operate(String id, OperationKind kind) {
        peers.with(id, world -> {
            world.start(kind, false);
            return kind;
        });
    }

    private ConfigurableApplicationContext start() {
        return start("weighbridge.reconciliation.poll", "50ms");
    }

    private ConfigurableApplicationContext start(String property, String value) {
        List<String> arguments = arguments(property, value);
        ConfigurableApplicationContext instance =
                ReconciliationService.builder().run(arguments.toArray(String[]::new));
        instances.add(instance);
        return instance;
    }

    private Process startProcess(Path folder) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ReconciliationService.class.getName()));
        command.addAll(arguments("weighbridge.reconciliation.poll", "50ms"));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    private List<String> arguments(String property, String value) {
        Map<String, String> properties = new HashMap<>(LEDGER.properties(Writer.RECONCILIATION));
        properties.put("server.port", "0");
        properties.put("weighbridge.services.metadata", peers.url());
        properties.put("weighbridge.services.lease", peers.url());
        properties.put("weighbridge.reconciliation.sweep", "500ms");
        properties.put("weighbridge.reconciliation.hold", "3s");
        properties.put("weighbridge.reconciliation.look-again-moving", "100ms");
        properties.put("weighbridge.reconciliation.look-again-stuck", "300ms");
        properties.put(property, value);
        return properties.entrySet().stream()
                .map(entry -> "--" + entry.getKey() + "=" + entry.getValue())
                .toList();
    }

    private static void wake(String id) {
        LEDGER.sql(
                "INSERT INTO reconciliation.work (revision_id, due_at) VALUES (?, now()) ON CONFLICT DO NOTHING", id);
    }

    private static int queued() {
        return LEDGER.rows("SELECT revision_id FROM reconciliation.work").size();
    }

    private void await(String id, Predicate<SimulatedWorld> condition) {
        await(() -> peers.with(id, condition::test));
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }
}
