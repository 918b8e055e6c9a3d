package io.weighbridge.metadata.object;

import static io.weighbridge.metadata.world.FakeAgent.digest;
import static io.weighbridge.metadata.world.FakeAgent.opened;
import static io.weighbridge.metadata.world.FakeAgent.stored;
import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.metadata.world.FakeAgent;
import io.weighbridge.metadata.world.MetadataWorld;
import io.weighbridge.metadata.world.Puts;
import io.weighbridge.testkit.TestLedger;
import io.weighbridge.wire.ObjectResults;
import io.weighbridge.wire.PutStarted;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The life of puts of ordinary objects (spec 2.2), over HTTP. */
class PutIT {

    @RegisterExtension
    static final TestLedger LEDGER = TestLedger.perClass();

    private static final long CAPACITY = 1_000_000;

    private static MetadataWorld world;
    private static FakeAgent one;
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
}
