package io.weighbridge.metadata.object;

import static io.weighbridge.metadata.world.FakeAgent.digest;
import static io.weighbridge.metadata.world.FakeAgent.stored;
import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.metadata.world.FakeAgent;
import io.weighbridge.metadata.world.MetadataWorld;
import io.weighbridge.metadata.world.Puts;
import io.weighbridge.testkit.TestLedger;
import io.weighbridge.wire.PutStart;
import io.weighbridge.wire.PutStarted;
import io.weighbridge.wire.Reports;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Space is never given out twice, whoever asks at the same time. */
class CapacityIT {

    @RegisterExtension
    static final TestLedger LEDGER = TestLedger.perClass();

    @SuppressWarnings("NullAway.Init")
    private MetadataWorld world;

    @BeforeEach
    void start() {
        world = new MetadataWorld(
                LEDGER,
                "weighbridge.nodes.suspect-after=1h",
                "weighbridge.nodes.dead-after=2h",
                "weighbridge.puts.sweep-interval=50ms",
                "weighbridge.leases.read-lease-ttl-max=100ms",
                "weighbridge.leases.reclaim-margin=50ms");
    }

    @AfterEach
    void stop() {
        world.close();
        LEDGER.sql("TRUNCATE metadata.object, metadata.replica, metadata.put, metadata.segment, metadata.node CASCADE");
    }

    @Test
    void sixtyFourWritersNeverExceedTheCapacity() {
        for (int i = 0; i < 3; i++) {
            world.agent().offer(Tier.MEMORY, 1000).join();
        }
        List<CompletableFuture<MetadataWorld.Answer>> answers = new ArrayList<>();
        for (int writer = 0; writer < 64; writer++) {
            for (int n = 0; n < 4; n++) {
                String key = "writer/" + writer + "/" + n;
                answers.add(world.postLater(
                        "/v1/objects/put-start", new PutStart(List.of(Puts.item(key, 30, 1 + writer % 2)))));
            }
        }
        List<PutStarted.Item> items = answers.stream()
                .flatMap(answer -> answer.join().as(PutStarted.class).items().stream())
                .toList();
        long granted = items.stream().mapToLong(PutStarted.Item::replicaCount).sum();
        // 33 copies of 30 bytes fit into each segment of 1000: all of the room was given out, and no more.
        assertThat(granted).isEqualTo(3 * 33);
        assertThat(items.stream().filter(item -> item.status() != 200).map(PutStarted.Item::code))
                .containsOnly(ProblemCode.NO_SPACE);
        assertThat(world.number("SELECT count(*) FROM metadata.segment WHERE used_bytes > capacity"))
                .isZero();
        assertThat(world.number("SELECT sum(used_bytes)::bigint FROM metadata.segment"))
                .isEqualTo(world.number("SELECT sum(size)::bigint FROM metadata.replica"))
                .isEqualTo(granted * 30);
    }

    @Test
    void diskTakesWhatMemoryCannot() {
        world.agent().offer(Tier.MEMORY, 100).offer(Tier.LOCAL_DISK, 1000).join();
        Puts puts = new Puts(world);
        assertThat(puts.begin("hot", 80, 1).targets().getFirst().tier()).isEqualTo(Tier.MEMORY);
        assertThat(puts.begin("cold", 80, 1).targets().getFirst().tier()).isEqualTo(Tier.LOCAL_DISK);
        PutStarted.Item two = puts.start("two", 10, 3);
        assertThat(two.replicaCount()).isEqualTo(1);
    }

    @Test
    void aFullSegmentEvictsWhatWasNotUsedForTheLongestTime() {
        FakeAgent agent = world.agent().offer(Tier.MEMORY, 1000).join();
        Puts puts = new Puts(world);
        for (int i = 0; i < 10; i++) {
            PutStart.Pin pin = i == 0 ? PutStart.Pin.HARD : null;
            Puts.Begun begun =
                    puts.begin(new PutStart.Item("cache/" + i, 100, ObjectType.KVCACHE, null, null, null, pin));
            agent.report(stored(begun.targets().getFirst().replicaId(), begun.token(), 100, digest(begun.key())));
            assertThat(puts.end(begun.key(), begun.token(), null, null).status())
                    .isEqualTo(200);
        }
        assertThat(puts.start("more", 150, 1).code()).isEqualTo(ProblemCode.NO_SPACE);
        MetadataWorld.await("room was made for the put", () -> {
            agent.heartbeat().reclaim().forEach(id -> agent.report(FakeAgent.of(id, Reports.Event.FREED)));
            return puts.start("more", 150, 1).code() == null;
        });
        assertThat(world.number("SELECT count(*) FROM metadata.readable_replica_v1 WHERE key = 'cache/0'"))
                .as("pinned")
                .isEqualTo(1);
        assertThat(world.number("SELECT count(*) FROM metadata.readable_replica_v1 WHERE key = 'cache/1'"))
                .as("the oldest")
                .isZero();
        assertThat(world.number("SELECT count(*) FROM metadata.readable_replica_v1 WHERE key = 'cache/9'"))
                .as("the newest")
                .isEqualTo(1);
    }
}
