package io.weighbridge.metadata.object;

import static io.weighbridge.metadata.world.FakeAgent.digest;
import static io.weighbridge.metadata.world.FakeAgent.opened;
import static io.weighbridge.metadata.world.FakeAgent.stored;
import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.metadata.world.FakeAgent;
import io.weighbridge.metadata.world.MetadataWorld;
import io.weighbridge.metadata.world.Puts;
import io.weighbridge.testkit.TestLedger;
import io.weighbridge.wire.Diagnosis;
import io.weighbridge.wire.Keys;
import io.weighbridge.wire.ObjectResults;
import io.weighbridge.wire.PutEnd;
import io.weighbridge.wire.PutRevoke;
import io.weighbridge.wire.PutStart;
import io.weighbridge.wire.PutStarted;
import io.weighbridge.wire.Reports;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The life of puts of ordinary objects (spec 2.2), over HTTP. */
class PutIT {

    @RegisterExtension
    static final TestLedger LEDGER = TestLedger.perClass();

    private static final long CAPACITY = 1_000_000;

    @SuppressWarnings("NullAway.Init")
    private static MetadataWorld world;

    @SuppressWarnings("NullAway.Init")
    private static FakeAgent one;

    @SuppressWarnings("NullAway.Init")
    private static FakeAgent two;

    @BeforeAll
    static void start() {
        world = new MetadataWorld(
                LEDGER,
                "weighbridge.nodes.suspect-after=1h",
                "weighbridge.nodes.dead-after=2h",
                "weighbridge.puts.preempt-after=400ms",
                "weighbridge.puts.sweep-interval=50ms",
                "weighbridge.leases.read-lease-ttl-max=300ms",
                "weighbridge.leases.reclaim-margin=100ms");
        one = world.agent().offer(Tier.MEMORY, CAPACITY).join();
        two = world.agent().offer(Tier.MEMORY, CAPACITY).join();
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    private static FakeAgent holder(PutStarted.Target target) {
        return target.nodeId().equals(one.nodeId()) ? one : two;
    }

    private static long used() {
        return world.number("SELECT sum(used_bytes)::bigint FROM metadata.segment");
    }

    @Test
    void wholeLife() {
        Puts puts = new Puts(world);
        Puts.Begun started = puts.begin("life", 100, 2);
        assertThat(started.targets()).hasSize(2);
        assertThat(started.targets().stream().map(PutStarted.Target::nodeId))
                .containsExactlyInAnyOrder(one.nodeId(), two.nodeId());
        assertThat(puts.end("life", started.token(), 100L, null).code()).isEqualTo(ProblemCode.NOT_READY);
        for (PutStarted.Target target : started.targets()) {
            assertThat(holder(target)
                            .report(
                                    opened(target.replicaId(), started.token()),
                                    stored(target.replicaId(), started.token(), 100, digest("life"))))
                    .containsExactly(200, 200);
        }
        assertThat(puts.end("life", started.token(), 101L, null).code()).isEqualTo(ProblemCode.CHECKSUM_MISMATCH);
        assertThat(puts.end("life", started.token(), null, digest("other")).code())
                .isEqualTo(ProblemCode.CHECKSUM_MISMATCH);
        ObjectResults.Item ended = puts.end("life", started.token(), 100L, digest("life"));
        assertThat(ended.status()).isEqualTo(200);
        assertThat(ended.objectVersion()).isPositive();
        assertThat(puts.end("life", started.token(), 100L, digest("life"))).isEqualTo(ended);
        assertThat(puts.start("life", 100, 1).code()).isEqualTo(ProblemCode.ALREADY_EXISTS);
        assertThat(puts.revoke("life", started.token()).code()).isEqualTo(ProblemCode.ALREADY_EXISTS);
    }

    @Test
    void aNewerPutTakesOver() {
        Puts puts = new Puts(world);
        Puts.Begun old = puts.begin("taken", 1000, 1);
        FakeAgent agent = holder(old.targets().getFirst());
        UUID oldReplica = old.targets().getFirst().replicaId();
        long before = used();
        assertThat(puts.start("taken", 1000, 1).code()).isEqualTo(ProblemCode.ALREADY_EXISTS);
        List<Puts.Begun> newer = new ArrayList<>();
        MetadataWorld.await("the old put is old enough", () -> {
            PutStarted.Item again = puts.start("taken", 1000, 1);
            if (again.code() == null) {
                newer.add(Puts.begun(again));
            }
            return !newer.isEmpty();
        });
        Puts.Begun young = newer.getFirst();

        assertThat(agent.report(stored(oldReplica, old.token(), 1000, digest("old"))))
                .containsExactly(409);
        assertThat(puts.end("taken", old.token(), 1000L, digest("old")).code()).isEqualTo(ProblemCode.STALE_TOKEN);
        PutStarted.Target target = young.targets().getFirst();
        holder(target).report(stored(target.replicaId(), young.token(), 1000, digest("new")));
        // The same client's stale end must not finish the newer write.
        assertThat(puts.end("taken", old.token(), null, null).code()).isEqualTo(ProblemCode.STALE_TOKEN);
        assertThat(puts.revoke("taken", old.token()).status()).isEqualTo(409);
        assertThat(puts.end("taken", young.token(), null, digest("new")).status())
                .isEqualTo(200);

        assertThat(used()).isEqualTo(before + 1000);
        MetadataWorld.await(
                "the agent is asked to close the old token",
                () -> agent.heartbeat().closeTokens().contains(oldReplica));
        assertThat(agent.report(FakeAgent.of(oldReplica, Reports.Event.CLOSED))).containsExactly(200);
        assertThat(used()).isEqualTo(before);
        assertThat(agent.report(FakeAgent.of(oldReplica, Reports.Event.CLOSED))).containsExactly(200);
        assertThat(used()).isEqualTo(before);
    }

    @Test
    void aDeadWritersSpaceComesBack() {
        Puts puts = new Puts(world);
        long before = used();
        Puts.Begun begun = puts.begin("crashed", 5000, 1);
        PutStarted.Target target = begun.targets().getFirst();
        holder(target).report(opened(target.replicaId(), begun.token()));
        assertThat(used()).isEqualTo(before + 5000);
        LEDGER.sql("UPDATE metadata.put SET expires_at = now() WHERE state = 'PENDING' AND object_id = "
                + "(SELECT object_id FROM metadata.object WHERE key = 'crashed')");
        MetadataWorld.await(
                "the token is to be closed",
                () -> holder(target).heartbeat().closeTokens().contains(target.replicaId()));
        assertThat(puts.end("crashed", begun.token(), null, null).code()).isEqualTo(ProblemCode.STALE_TOKEN);
        assertThat(holder(target).report(FakeAgent.of(target.replicaId(), Reports.Event.CLOSED)))
                .containsExactly(200);
        assertThat(used()).isEqualTo(before);
        assertThat(LEDGER.rows("SELECT 1 AS n FROM metadata.object WHERE key = 'crashed'"))
                .isEmpty();
        puts.revoke("crashed", puts.begin("crashed", 10, 1).token());
    }

    @Test
    void threeFailuresOfAHundredLeave97() {
        Puts puts = new Puts(world);
        List<Puts.Begun> begun = new ArrayList<>();
        List<PutStart.Item> wanted = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            wanted.add(Puts.item(i == 50 ? "x".repeat(1025) : "batch/" + i, 10, 1));
        }
        List<PutStarted.Item> started = puts.start(wanted);
        assertThat(started.get(50).code()).isEqualTo(ProblemCode.INVALID_ARGUMENT);
        for (int i = 0; i < 100; i++) {
            if (i != 50) {
                begun.add(Puts.begun(started.get(i)));
            }
        }
        List<Reports.Item> ones = new ArrayList<>();
        List<Reports.Item> twos = new ArrayList<>();
        List<PutEnd.Item> ends = new ArrayList<>();
        for (int i = 0; i < begun.size(); i++) {
            Puts.Begun put = begun.get(i);
            PutStarted.Target target = put.targets().getFirst();
            if (i != 10) {
                (holder(target) == one ? ones : twos)
                        .add(stored(target.replicaId(), put.token(), 10, digest(put.key())));
            }
            ends.add(new PutEnd.Item(put.key(), put.token(), 10L, digest(i == 20 ? "other" : put.key())));
        }
        ends.add(new PutEnd.Item("batch/5", "no such token", null, null));
        if (!ones.isEmpty()) {
            one.report(ones);
        }
        if (!twos.isEmpty()) {
            two.report(twos);
        }
        List<ObjectResults.Item> ended = puts.end(ends);
        assertThat(ended).hasSize(100);
        assertThat(ended.get(10).code()).isEqualTo(ProblemCode.NOT_READY);
        assertThat(ended.get(20).code()).isEqualTo(ProblemCode.CHECKSUM_MISMATCH);
        assertThat(ended.get(99).code()).isEqualTo(ProblemCode.STALE_TOKEN);
        assertThat(ended.stream().filter(item -> item.status() == 200)).hasSize(97);
        assertThat(world.number("SELECT count(*) FROM metadata.readable_replica_v1 WHERE key LIKE 'batch/%'"))
                .isEqualTo(97);
        assertThat(begun.stream().map(put -> put.targets().getFirst().nodeId()).distinct())
                .hasSize(2);
    }

    @Test
    void twoStartsOfOneKeyInOneBatchAreFoldedInOrder() {
        List<PutStarted.Item> items = new Puts(world).start(List.of(Puts.item("twin", 5, 1), Puts.item("twin", 6, 1)));
        assertThat(items.get(0).code()).isNull();
        assertThat(items.get(1).code()).isEqualTo(ProblemCode.ALREADY_EXISTS);
        assertThat(world.number("SELECT size FROM metadata.object WHERE key = 'twin'"))
                .isEqualTo(5);
    }

    @Test
    void revokeNeverTouchesWhatIsCommitted() {
        Puts puts = new Puts(world);
        for (int round = 0; round < 10; round++) {
            String key = "raced/" + round;
            Puts.Begun begun = puts.begin(key, 10, 1);
            PutStarted.Target target = begun.targets().getFirst();
            holder(target).report(stored(target.replicaId(), begun.token(), 10, digest(key)));
            var revoke = world.postLater(
                    "/v1/objects/put-revoke", new PutRevoke(List.of(new PutRevoke.Item(key, begun.token()))));
            var end = world.postLater(
                    "/v1/objects/put-end", new PutEnd(List.of(new PutEnd.Item(key, begun.token(), null, null))));
            ObjectResults.Item revoked =
                    revoke.join().as(ObjectResults.class).items().getFirst();
            ObjectResults.Item ended =
                    end.join().as(ObjectResults.class).items().getFirst();
            boolean complete =
                    world.number("SELECT count(*) FROM metadata.readable_replica_v1 WHERE key = ?", key) == 1;
            assertThat(complete).isEqualTo(ended.status() == 200);
            assertThat(revoked.status() == 200).isNotEqualTo(ended.status() == 200);
        }
    }

    @Test
    void reclaimWaitsForTheLongestReadLease() {
        Puts puts = new Puts(world);
        long before = used();
        Puts.Begun begun = puts.begin("gone", 700, 1);
        PutStarted.Target target = begun.targets().getFirst();
        FakeAgent agent = holder(target);
        agent.report(stored(target.replicaId(), begun.token(), 700, digest("gone")));
        puts.end("gone", begun.token(), null, null);
        assertThat(exists("gone").status()).isEqualTo(200);
        long retired = System.nanoTime();
        assertThat(remove(false, "gone").getFirst().status()).isEqualTo(200);
        assertThat(exists("gone").code()).isEqualTo(ProblemCode.NOT_FOUND);
        assertThat(used()).isEqualTo(before + 700);
        MetadataWorld.await(
                "the extent may be freed", () -> agent.heartbeat().reclaim().contains(target.replicaId()));
        assertThat(System.nanoTime() - retired).isGreaterThanOrEqualTo(400_000_000L);
        assertThat(world.number(
                        "SELECT (extract(epoch FROM reclaim_after - retired_at) * 1000)::bigint FROM metadata.replica"
                                + " WHERE replica_id = ?",
                        target.replicaId()))
                .isGreaterThanOrEqualTo(400);
        assertThat(agent.report(FakeAgent.of(target.replicaId(), Reports.Event.FREED)))
                .containsExactly(200);
        assertThat(used()).isEqualTo(before);
        assertThat(remove(false, "gone").getFirst().code()).isEqualTo(ProblemCode.NOT_FOUND);
    }

    @Test
    void aCorruptCopyIsQuarantined() {
        Puts puts = new Puts(world);
        Puts.Begun begun = puts.begin("rotten", 70, 2);
        for (PutStarted.Target target : begun.targets()) {
            holder(target).report(stored(target.replicaId(), begun.token(), 70, digest("rotten")));
        }
        puts.end("rotten", begun.token(), null, null);
        PutStarted.Target bad = begun.targets().getFirst();
        holder(bad).report(FakeAgent.of(bad.replicaId(), Reports.Event.CORRUPT));
        assertThat(exists("rotten").replicas()).hasSize(1);
        Diagnosis diagnosis = world.get("/v1/objects/diagnosis?key=rotten").as(Diagnosis.class);
        assertThat(diagnosis.readable()).isTrue();
        assertThat(diagnosis.layers().stream().map(Diagnosis.Layer::evidence))
                .anyMatch(evidence -> evidence.contains(bad.replicaId().toString()) && evidence.contains("REMOVED"));
    }

    @Test
    void aGroupIsRemovedTogetherOrNotAtAll() {
        Puts puts = new Puts(world);
        List<PutStarted.Item> started = puts.start(List.of(
                new PutStart.Item("page/k", 10, ObjectType.KVCACHE, "page-1", null, null, null),
                new PutStart.Item("page/v", 10, ObjectType.KVCACHE, "page-1", null, null, PutStart.Pin.HARD)));
        for (PutStarted.Item item : started) {
            Puts.Begun begun = Puts.begun(item);
            PutStarted.Target target = begun.targets().getFirst();
            holder(target).report(stored(target.replicaId(), begun.token(), 10, digest(item.key())));
            puts.end(item.key(), begun.token(), null, null);
        }
        assertThat(remove(false, "page/k").getFirst().code()).isEqualTo(ProblemCode.CONFLICT);
        assertThat(exists("page/k").status()).isEqualTo(200);
        assertThat(remove(true, "page/k", "page/v").stream().map(ObjectResults.Item::status))
                .containsExactly(200, 200);
        assertThat(exists("page/v").code()).isEqualTo(ProblemCode.NOT_FOUND);
    }

    @Test
    void badInputChangesNothing() {
        Puts puts = new Puts(world);
        assertThat(world.post("/v1/objects/put-start", new PutStart(List.of())).code())
                .isEqualTo(ProblemCode.INVALID_ARGUMENT);
        assertThat(world.post(
                                "/v1/objects/put-start",
                                new PutStart(List.of(Puts.item("bad", 1, 1))),
                                "Idempotency-Key",
                                "once")
                        .code())
                .isEqualTo(ProblemCode.INVALID_ARGUMENT);
        assertThat(puts.start(Puts.item("bad", -1, 1)).code()).isEqualTo(ProblemCode.INVALID_ARGUMENT);
        assertThat(puts.start(Puts.item("bad", 1, 17)).code()).isEqualTo(ProblemCode.INVALID_ARGUMENT);
        assertThat(puts.start(Puts.item("bad", CAPACITY + 1, 1)).code()).isEqualTo(ProblemCode.NO_SPACE);
        assertThat(puts.start(Puts.member("bad", 1, ObjectType.WEIGHT, "weight:" + "a".repeat(64)))
                        .code())
                .isEqualTo(ProblemCode.INVALID_ARGUMENT);
        assertThat(puts.start(Puts.member("bad", 1, ObjectType.WEIGHT, "weight:nonsense"))
                        .code())
                .isEqualTo(ProblemCode.INVALID_ARGUMENT);
        assertThat(LEDGER.rows("SELECT 1 AS n FROM metadata.object WHERE key = 'bad'"))
                .isEmpty();
        Puts.Begun begun = puts.begin("chunks", 5, 1);
        PutStarted.Target target = begun.targets().getFirst();
        assertThat(holder(target)
                        .report(new Reports.Item(
                                target.replicaId(),
                                begun.token(),
                                Reports.Event.STORED,
                                5L,
                                digest("chunks"),
                                List.of(1L, 2L))))
                .containsExactly(400);
        assertThat(puts.end("chunks", begun.token(), null, null).code()).isEqualTo(ProblemCode.NOT_READY);
    }

    private static ObjectResults.Item exists(String key) {
        return world.post("/v1/objects/exists", new Keys(List.of(key), null, null))
                .as(ObjectResults.class)
                .items()
                .getFirst();
    }

    private static List<ObjectResults.Item> remove(boolean force, String... keys) {
        return world.post("/v1/objects/remove", new Keys(List.of(keys), force, null))
                .as(ObjectResults.class)
                .items();
    }
}
