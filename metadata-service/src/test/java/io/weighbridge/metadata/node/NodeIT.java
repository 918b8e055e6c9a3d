package io.weighbridge.metadata.node;

import static io.weighbridge.metadata.world.FakeAgent.digest;
import static io.weighbridge.metadata.world.FakeAgent.opened;
import static io.weighbridge.metadata.world.FakeAgent.stored;
import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.vocabulary.NodeState;
import io.weighbridge.ledger.vocabulary.ReplicaState;
import io.weighbridge.ledger.vocabulary.SegmentState;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.metadata.world.FakeAgent;
import io.weighbridge.metadata.world.MetadataWorld;
import io.weighbridge.metadata.world.Puts;
import io.weighbridge.testkit.TestLedger;
import io.weighbridge.wire.NodePage;
import io.weighbridge.wire.ObjectResults;
import io.weighbridge.wire.PutEnd;
import io.weighbridge.wire.PutStarted;
import io.weighbridge.wire.RegisteredNode;
import io.weighbridge.wire.Reports;
import io.weighbridge.wire.SegmentPage;
import io.weighbridge.wire.SegmentView;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Registration, heartbeats, epochs and segments (spec 2.6), over HTTP. */
class NodeIT {

    @RegisterExtension
    static final TestLedger LEDGER = TestLedger.perClass();

    @SuppressWarnings("NullAway.Init")
    private MetadataWorld world;

    @BeforeEach
    void start() {
        world = new MetadataWorld(LEDGER, "weighbridge.nodes.suspect-after=1h", "weighbridge.nodes.dead-after=2h");
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

    private static Puts.Begun committed(MetadataWorld world, FakeAgent agent, String key) {
        Puts puts = new Puts(world);
        Puts.Begun begun = puts.begin(Puts.preferring(key, 10, agent.nodeId()));
        agent.report(stored(begun.targets().getFirst().replicaId(), begun.token(), 10, digest(key)));
        assertThat(puts.end(key, begun.token(), null, null).status()).isEqualTo(200);
        return begun;
    }

    private long readable(String key) {
        return world.number("SELECT count(*) FROM metadata.readable_replica_v1 WHERE key = ?", key);
    }

    @Test
    void joinsStepByStep() {
        FakeAgent agent = world.agent().offer(Tier.MEMORY, 1000);
        assertThat(agent.tryHeartbeat(0).code()).isEqualTo(ProblemCode.NOT_FOUND);
        RegisteredNode registered = agent.register();
        assertThat(registered.segments()).singleElement().satisfies(segment -> {
            assertThat(segment.state()).isEqualTo(SegmentState.VERIFYING);
            assertThat(segment.segmentEpoch()).isEqualTo(1);
        });
        assertThat(new Puts(world).start("early", 1, 1).code()).isEqualTo(ProblemCode.NO_SPACE);
        agent.mountAll();
        assertThat(agent.heartbeat().keysVersion()).isEqualTo(1);
        assertThat(state(agent)).isEqualTo(NodeState.LIVE);
        assertThat(new Puts(world).start("late", 1, 1).status()).isEqualTo(200);
        assertThat(agent.register().segments().getFirst().state())
                .as("a repeated registration changes nothing")
                .isEqualTo(SegmentState.MOUNTED);
    }

    @Test
    void anOlderIncarnationIsFenced() {
        FakeAgent agent = world.agent().offer(Tier.LOCAL_DISK, 1000).join();
        Puts.Begun begun = new Puts(world).begin("zombie", 10, 1);
        FakeAgent zombie = agent.as(agent.incarnation());
        agent.restarted().join();
        assertThat(zombie.tryHeartbeat(0).code()).isEqualTo(ProblemCode.STALE_INCARNATION);
        assertThat(zombie.tryReport(opened(begun.targets().getFirst().replicaId(), begun.token()))
                        .code())
                .isEqualTo(ProblemCode.STALE_INCARNATION);
        assertThat(world.number("SELECT count(*) FROM metadata.replica WHERE state = 'INITIALIZED'"))
                .isEqualTo(1);
    }

    @Test
    void onlyTheNewestStartOfAnAgentChangesItsSegments() {
        FakeAgent agent = world.agent().offer(Tier.LOCAL_DISK, 1000).join();
        FakeAgent zombie = agent.as(agent.incarnation());
        UUID segment = agent.segment(Tier.LOCAL_DISK);
        agent.restarted().register();
        for (String verb : List.of("mount", "unmount", "drain")) {
            assertThat(zombie.ask(segment, verb).code()).as(verb).isEqualTo(ProblemCode.STALE_INCARNATION);
            assertThat(world.post(
                                    "/v1/nodes/" + agent.nodeId() + "/segments/" + segment + "/" + verb,
                                    null,
                                    agent.authorization())
                            .code())
                    .as("%s by nobody in particular", verb)
                    .isEqualTo(ProblemCode.INVALID_ARGUMENT);
            assertThat(segments(agent)).extracting(SegmentView::state).containsExactly(SegmentState.VERIFYING);
        }
        agent.mount(segment);
        assertThat(segments(agent)).extracting(SegmentView::state).containsExactly(SegmentState.MOUNTED);
    }

    private List<SegmentView> segments(FakeAgent agent) {
        return world.get("/v1/nodes/" + agent.nodeId() + "/segments")
                .as(SegmentPage.class)
                .segments();
    }

    @Test
    void anotherSubjectCannotSpeakForANode() {
        FakeAgent agent = world.agent().offer(Tier.MEMORY, 1000).join();
        FakeAgent thief = world.agent();
        MetadataWorld.Answer answer = world.post(
                "/v1/nodes/" + agent.nodeId() + "/segments/" + agent.segment(Tier.MEMORY) + "/unmount",
                null,
                thief.authorization());
        assertThat(answer.code()).isEqualTo(ProblemCode.PERMISSION_DENIED);
        assertThat(world.post("/v1/nodes", null).status()).isGreaterThanOrEqualTo(400);
        assertThat(world.post(
                                "/v1/nodes/" + agent.nodeId() + "/segments/" + agent.segment(Tier.MEMORY) + "/drain",
                                null)
                        .code())
                .isEqualTo(ProblemCode.PERMISSION_DENIED);
    }

    @Test
    void aNewArenaMovesTheEpochAndADiskComesBackVerified() {
        FakeAgent agent = world.agent()
                .offer(Tier.MEMORY, 100)
                .offer(Tier.LOCAL_DISK, 1000)
                .join();
        Puts.Begun hot = committed(world, agent, "hot");
        new Puts(world).begin("filler", 85, 1);
        Puts.Begun cold = committed(world, agent, "cold");
        assertThat(cold.targets().getFirst().tier()).isEqualTo(Tier.LOCAL_DISK);

        agent.restarted().register();
        assertThat(readable("hot")).isZero();
        assertThat(readable("cold")).as("not verified yet").isZero();
        assertThat(agent.extents(agent.segment(Tier.MEMORY))).isEmpty();
        assertThat(agent.extents(agent.segment(Tier.LOCAL_DISK)))
                .singleElement()
                .satisfies(extent -> {
                    assertThat(extent.replicaId())
                            .isEqualTo(cold.targets().getFirst().replicaId());
                    assertThat(extent.state()).isEqualTo(ReplicaState.COMPLETE);
                    assertThat(extent.crc32c()).containsExactly(0L);
                });
        agent.mountAll().heartbeat();
        assertThat(readable("cold")).isEqualTo(1);
        MetadataWorld.await(
                "copies of the old epoch are dropped",
                () -> world.number(
                                "SELECT count(*) FROM metadata.replica WHERE replica_id = ?",
                                hot.targets().getFirst().replicaId())
                        == 0);
        SegmentPage segments =
                world.get("/v1/nodes/" + agent.nodeId() + "/segments").as(SegmentPage.class);
        assertThat(segments.segments().stream().filter(segment -> segment.tier() == Tier.MEMORY))
                .singleElement()
                .satisfies(segment -> {
                    assertThat(segment.segmentEpoch()).isEqualTo(2);
                    assertThat(segment.usedBytes()).isZero();
                });
        assertThat(new Puts(world).start("hot", 10, 1).status())
                .as("writable again")
                .isEqualTo(200);
    }

    @Test
    void aReRegistrationRacingPutEndNeverCommitsLostBytes() {
        FakeAgent agent = world.agent().offer(Tier.MEMORY, 100_000).join();
        Puts puts = new Puts(world);
        for (int round = 0; round < 10; round++) {
            String key = "race/" + round;
            Puts.Begun begun = puts.begin(key, 10, 1);
            UUID replica = begun.targets().getFirst().replicaId();
            agent.report(stored(replica, begun.token(), 10, digest(key)));
            var end = world.postLater(
                    "/v1/objects/put-end", new PutEnd(List.of(new PutEnd.Item(key, begun.token(), null, null))));
            agent.restarted().register();
            ObjectResults.Item ended =
                    end.join().as(ObjectResults.class).items().getFirst();
            agent.mountAll().heartbeat();
            assertThat(readable(key)).as("its bytes are lost").isZero();
            if (ended.status() != 200) {
                assertThat(ended.code()).isEqualTo(ProblemCode.STALE_TOKEN);
            }
            assertThat(puts.start(key, 10, 1).status())
                    .as("the key is writable")
                    .isEqualTo(200);
        }
        assertThat(world.number("SELECT used_bytes FROM metadata.segment"))
                .isEqualTo(world.number("SELECT coalesce(sum(r.size), 0)::bigint FROM metadata.replica r"
                        + " JOIN metadata.segment s USING (segment_id) WHERE r.segment_epoch = s.segment_epoch"));
    }

    @Test
    void aFailingSegmentIsQuarantinedAndADrainedOneTakesNothing() {
        FakeAgent agent = world.agent().offer(Tier.MEMORY, 1000).join();
        committed(world, agent, "sick");
        assertThat(agent.ask(agent.segment(Tier.MEMORY), "drain")
                        .as(SegmentView.class)
                        .state())
                .isEqualTo(SegmentState.DRAINING);
        assertThat(readable("sick")).isEqualTo(1);
        assertThat(new Puts(world).start("none", 1, 1).code()).isEqualTo(ProblemCode.NO_SPACE);
        agent.mountAll();
        agent.tryHeartbeat(8);
        assertThat(readable("sick")).isEqualTo(1);
        agent.tryHeartbeat(8);
        assertThat(readable("sick")).isZero();
        assertThat(agent.ask(agent.segment(Tier.MEMORY), "mount").code()).isEqualTo(ProblemCode.CONFLICT);
        agent.report(FakeAgent.of(UUID.randomUUID(), Reports.Event.FREED));
        agent.restarted().join();
        assertThat(new Puts(world).begin("healed", 1, 1).targets())
                .extracting(PutStarted.Target::nodeId)
                .containsExactly(agent.nodeId());
    }
}
