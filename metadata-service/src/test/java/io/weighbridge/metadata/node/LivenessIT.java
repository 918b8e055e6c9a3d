package io.weighbridge.metadata.node;

import static io.weighbridge.metadata.world.FakeAgent.digest;
import static io.weighbridge.metadata.world.FakeAgent.stored;
import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.vocabulary.NodeState;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.metadata.world.FakeAgent;
import io.weighbridge.metadata.world.MetadataWorld;
import io.weighbridge.metadata.world.Puts;
import io.weighbridge.testkit.TestLedger;
import io.weighbridge.wire.NodePage;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Suspicion and death by missed heartbeats (spec 2.6). Heartbeats are moved in time by SQL, so that no test is slow.
 */
class LivenessIT {

    @RegisterExtension
    static final TestLedger LEDGER = TestLedger.perClass();

    @SuppressWarnings("NullAway.Init")
    private MetadataWorld world;

    @BeforeEach
    void start() {
        world = new MetadataWorld(LEDGER, "weighbridge.nodes.suspect-after=3s", "weighbridge.nodes.dead-after=4s");
    }

    @AfterEach
    void stop() {
        world.close();
        LEDGER.sql("TRUNCATE metadata.object, metadata.replica, metadata.put, metadata.segment, metadata.node CASCADE");
    }

    private NodeState state(FakeAgent agent) {
        return world.get("/v1/nodes").as(NodePage.class).nodes().stream()
                .filter(node -> node.nodeId().equals(agent.nodeId()))
                .findFirst()
                .orElseThrow()
                .state();
    }

    /** So many seconds since the last heartbeat; a negative number keeps a node alive. */
    private static void silentFor(int seconds, FakeAgent... agents) {
        Object[] ids = Stream.of(agents).map(FakeAgent::nodeId).toArray();
        LEDGER.sql(
                "UPDATE metadata.node SET last_heartbeat = now() - make_interval(secs => " + seconds
                        + ") WHERE node_id IN (" + "?,".repeat(ids.length - 1) + "?)",
                ids);
    }

    @Test
    void silenceIsSuspectThenDeadThenForgiven() {
        FakeAgent quiet = world.agent().offer(Tier.MEMORY, 1000).join();
        FakeAgent loud = world.agent().offer(Tier.MEMORY, 1000).join();
        silentFor(-3600, quiet, loud);
        Puts puts = new Puts(world);
        Puts.Begun begun = puts.begin(Puts.preferring("held", 10, quiet.nodeId()));
        quiet.report(stored(begun.targets().getFirst().replicaId(), begun.token(), 10, digest("held")));
        assertThat(puts.end("held", begun.token(), null, null).status()).isEqualTo(200);

        silentFor(0, quiet);
        MetadataWorld.await("suspect", () -> state(quiet) == NodeState.SUSPECT);
        silentFor(-3600, quiet);
        assertThat(readable()).as("a suspect's copies are readable").isEqualTo(1);
        assertThat(puts.begin("elsewhere", 1, 2).targets()).hasSize(1);

        silentFor(10, quiet);
        MetadataWorld.await("dead", () -> state(quiet) == NodeState.DEAD);
        assertThat(readable()).isZero();
        assertThat(state(loud)).isEqualTo(NodeState.LIVE);
        quiet.heartbeat();
        assertThat(readable()).isEqualTo(1);
        assertThat(LEDGER
                        .rows(
                                "SELECT state ->> 'state' AS s FROM ledger.oplog"
                                        + " WHERE kind = 17 AND node_id = ? ORDER BY seq",
                                quiet.nodeId())
                        .stream()
                        .map(row -> row.get("s")))
                .containsSequence("LIVE", "SUSPECT", "DEAD", "LIVE");
    }

    private long readable() {
        return world.number("SELECT count(*) FROM metadata.readable_replica_v1 WHERE key = 'held'");
    }

    @Test
    void nobodyDiesOfTheLedgersOwnSilence() {
        FakeAgent agent = world.agent().offer(Tier.MEMORY, 1000).join();
        silentFor(60, agent);
        world.close();
        world = new MetadataWorld(LEDGER, "weighbridge.nodes.suspect-after=3s", "weighbridge.nodes.dead-after=4s");
        MetadataWorld.await("suspect at least", () -> state(agent) == NodeState.SUSPECT);
        agent.in(world).heartbeat();
        assertThat(state(agent)).isEqualTo(NodeState.LIVE);
    }

    @Test
    void manyNodesNeverDieAtOnce() {
        FakeAgent loud = world.agent().offer(Tier.MEMORY, 1000).join();
        FakeAgent one = world.agent().join();
        FakeAgent two = world.agent().join();
        FakeAgent three = world.agent().join();
        silentFor(-3600, loud);
        silentFor(3, one);
        silentFor(60, two);
        silentFor(62, three);
        long until = System.nanoTime() + 6_000_000_000L;
        MetadataWorld.await("a long silence of most nodes", () -> System.nanoTime() > until);
        assertThat(List.of(one, two, three))
                .allSatisfy(agent -> assertThat(state(agent)).isEqualTo(NodeState.SUSPECT));
        one.heartbeat();
        two.heartbeat();
        silentFor(-3600, one, two);
        MetadataWorld.await("one alone may die", () -> state(three) == NodeState.DEAD);
        assertThat(state(two)).isNotEqualTo(NodeState.DEAD);
    }
}
