package io.weighbridge.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.agent.flow.ByteBudget;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.wire.NodeDescription;
import io.weighbridge.wire.ProblemBody;
import io.weighbridge.wire.Reports;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes out of an agent over sockets (spec 2.3); the ledger is played by the test. */
class DownloadIT {

    private static final FakeLedger LEDGER = new FakeLedger();
    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);
    private static final int SIZE = (9 << 20) + 321;
    private static final byte[] BYTES = new byte[SIZE];

    @TempDir
    static Path home;

    private static RunningAgent agent;
    private static FakeLedger.Put memory;
    private static FakeLedger.Put disk;

    @BeforeAll
    static void start() throws Exception {
        new Random(3).nextBytes(BYTES);
        agent = RunningAgent.start(LEDGER, home);
        memory = stored(Tier.MEMORY, "memory", BYTES);
        disk = stored(Tier.LOCAL_DISK, "disk", BYTES);
    }

    @AfterAll
    static void stop() {
        agent.close();
        LEDGER.close();
    }

    private static FakeLedger.Put stored(Tier tier, String key, byte[] bytes) throws Exception {
        FakeLedger.Put put = LEDGER.put(agent, tier, key, bytes.length, ObjectType.WEIGHT);
        assertThat(agent.put(put, 0, bytes).statusCode()).isEqualTo(201);
        return put;
    }

    private static void refused(HttpResponse<byte[]> response, ProblemCode code) {
        String body = new String(response.body(), StandardCharsets.UTF_8);
        assertThat(io.weighbridge.wire.WireJson.newMapper()
                        .readValue(body, ProblemBody.class)
                        .code())
                .as(body)
                .isEqualTo(code);
    }

    @ParameterizedTest
    @CsvSource({
        "bytes=0-0, 0, 1",
        "bytes=5-9, 5, 10",
        "bytes=4194303-4194304, 4194303, 4194305",
        "bytes=4194304-8388607, 4194304, 8388608",
        "bytes=9000000-, 9000000, 9437505",
        "bytes=-7, 9437498, 9437505",
        "bytes=-99999999, 0, 9437505",
        "bytes=9437504-99999999, 9437504, 9437505"
    })
    void givesRanges(String range, int from, int to) throws Exception {
        for (FakeLedger.Put put : new FakeLedger.Put[] {memory, disk}) {
            HttpResponse<byte[]> response = agent.get(put.key(), LEDGER.lease(agent, put, TEN_SECONDS), "Range", range);
            assertThat(response.statusCode()).isEqualTo(206);
            assertThat(response.headers().firstValue("content-range"))
                    .contains("bytes " + from + "-" + (to - 1) + "/" + SIZE);
            assertThat(response.body()).isEqualTo(Arrays.copyOfRange(BYTES, from, to));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=9437505-", "bytes=3-2", "bytes=0-1,3-4", "lines=1-2", "bytes=-", "bytes=-0", "x"})
    void refusesOtherRanges(String range) throws Exception {
        HttpResponse<byte[]> response = agent.get("memory", LEDGER.lease(agent, memory, TEN_SECONDS), "Range", range);
        assertThat(response.statusCode()).isEqualTo(416);
        refused(response, ProblemCode.RANGE_NOT_SATISFIABLE);
    }

    @Test
    void tellsTheChecksumsOfWholeChunks() throws Exception {
        HttpResponse<byte[]> response =
                agent.get("disk", LEDGER.lease(agent, disk, TEN_SECONDS), "Range", "bytes=4194304-8388607");
        var stored = LEDGER.checksums(disk.replicaId());
        assertThat(response.headers().firstValue("chunk-crc32c"))
                .contains(HexFormat.of().toHexDigits(stored.get(1).intValue()));
        HttpResponse<byte[]> whole = agent.get("memory", LEDGER.lease(agent, memory, TEN_SECONDS));
        assertThat(whole.headers().firstValue("chunk-crc32c"))
                .contains(stored.stream()
                        .map(crc -> HexFormat.of().toHexDigits(crc.intValue()))
                        .collect(Collectors.joining(",")));
        assertThat(whole.headers().firstValue("accept-ranges")).contains("bytes");
    }

    @Test
    void refusesForeignExpiredAndUnknownLeases() throws Exception {
        String lease = LEDGER.lease(agent, memory, TEN_SECONDS);
        refused(agent.get("disk", lease), ProblemCode.PERMISSION_DENIED);
        refused(agent.get("memory", lease.substring(0, lease.length() - 4) + "AAAA"), ProblemCode.PERMISSION_DENIED);
        refused(agent.get("memory", "nonsense"), ProblemCode.PERMISSION_DENIED);
        FakeLedger.Put unknown = new FakeLedger.Put("memory", LEDGER.newId(), memory.segmentId(), "");
        refused(agent.get("memory", LEDGER.lease(agent, unknown, TEN_SECONDS)), ProblemCode.NOT_FOUND);
        HttpResponse<byte[]> expired = agent.get("memory", LEDGER.lease(agent, memory, Duration.ofMillis(-5)));
        assertThat(expired.statusCode()).isEqualTo(410);
        refused(expired, ProblemCode.LEASE_EXPIRED);
        FakeLedger.Put half = LEDGER.put(agent, Tier.MEMORY, "half", 10, ObjectType.WEIGHT);
        assertThat(agent.put(half, 0, new byte[5]).statusCode()).isEqualTo(202);
        refused(agent.get("half", LEDGER.lease(agent, half, TEN_SECONDS)), ProblemCode.NOT_FOUND);
    }

    @ParameterizedTest
    @EnumSource(
            value = Tier.class,
            names = {"MEMORY", "LOCAL_DISK"})
    void breaksOffWhenTheLeaseEnds(Tier tier) throws Exception {
        byte[] large = new byte[40 << 20];
        FakeLedger.Put put = stored(tier, "slow/" + tier, large);
        Duration ttl = Duration.ofMillis(700);
        HttpResponse<InputStream> response = agent.stream(put.key(), LEDGER.lease(agent, put, ttl));
        Instant over = FakeLedger.now().plus(ttl).plusMillis(100); // The agent's view of the ledger's time is rough.
        assertThat(response.statusCode()).isEqualTo(200);
        try (InputStream body = response.body()) {
            assertThat(body.readNBytes(1000)).hasSize(1000);
            RunningAgent.await(
                    "the lease has ended while the reader dawdled",
                    () -> FakeLedger.now().isAfter(over));
            assertThatThrownBy(body::readAllBytes).isInstanceOf(IOException.class);
        }
        LEDGER.reclaim.add(put.replicaId());
        RunningAgent.await("the extent is free", () -> LEDGER.has(put.replicaId(), Reports.Event.FREED));
        RunningAgent.await(
                "all bytes in flight return", () -> agent.bean(ByteBudget.class).free() == 256L << 20);
    }

    @Test
    void returnsEverythingWhenReadersGo() throws Exception {
        for (int i = 0; i < 20; i++) {
            FakeLedger.Put put = i % 2 == 0 ? memory : disk;
            try (InputStream body = agent.stream(put.key(), LEDGER.lease(agent, put, TEN_SECONDS))
                    .body()) {
                assertThat(body.readNBytes(10)).hasSize(10);
            }
        }
        RunningAgent.await(
                "all bytes in flight return", () -> agent.bean(ByteBudget.class).free() == 256L << 20);
        assertThat(agent.get("disk", LEDGER.lease(agent, disk, TEN_SECONDS)).body())
                .isEqualTo(BYTES);
    }

    @Test
    void neverGivesADamagedByte() throws Exception {
        FakeLedger.Put put = stored(Tier.LOCAL_DISK, "damaged", BYTES);
        flip(home.resolve("disk/extents/" + put.replicaId()), 5 << 20);
        HttpResponse<byte[]> sound =
                agent.get("damaged", LEDGER.lease(agent, put, TEN_SECONDS), "Range", "bytes=0-4194303");
        assertThat(sound.body()).isEqualTo(Arrays.copyOf(BYTES, 4 << 20));
        HttpResponse<byte[]> damaged =
                agent.get("damaged", LEDGER.lease(agent, put, TEN_SECONDS), "Range", "bytes=4194304-4194304");
        assertThat(damaged.statusCode()).isEqualTo(422);
        refused(damaged, ProblemCode.CHECKSUM_MISMATCH);
        RunningAgent.await("CORRUPT", () -> LEDGER.has(put.replicaId(), Reports.Event.CORRUPT));
        assertThatThrownBy(() -> agent.get("damaged", LEDGER.lease(agent, put, TEN_SECONDS)))
                .isInstanceOf(IOException.class);
    }

    static void flip(Path file, long position) throws IOException {
        try (var channel =
                java.nio.channels.FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            java.nio.ByteBuffer one = java.nio.ByteBuffer.allocate(1);
            channel.read(one, position);
            one.put(0, (byte) (one.get(0) ^ 1)).rewind();
            channel.write(one, position);
        }
    }

    @Test
    void keepsAnExtentForItsReader() throws Exception {
        byte[] large = new byte[24 << 20];
        Arrays.fill(large, (byte) 5);
        FakeLedger.Put put = stored(Tier.MEMORY, "read-while-freed", large);
        HttpResponse<InputStream> response = agent.stream(put.key(), LEDGER.lease(agent, put, TEN_SECONDS));
        try (InputStream body = response.body()) {
            assertThat(body.readNBytes(1)).hasSize(1);
            LEDGER.reclaim.add(put.replicaId());
            RunningAgent.await("it is closed", () -> {
                var extent = agent.store(Tier.MEMORY).find(put.replicaId());
                return extent != null && extent.closed().isDone();
            });
            assertThat(LEDGER.has(put.replicaId(), Reports.Event.FREED)).isFalse();
            byte[] rest = body.readAllBytes();
            assertThat(rest).hasSize(large.length - 1).containsOnly((byte) 5);
        }
        RunningAgent.await("FREED", () -> LEDGER.has(put.replicaId(), Reports.Event.FREED));
    }

    @Test
    void describesItself() throws Exception {
        HttpResponse<String> response = RunningAgent.CLIENT.send(
                HttpRequest.newBuilder(URI.create(agent.url() + "/v1/node")).build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        NodeDescription node = RunningAgent.read(response, NodeDescription.class);
        assertThat(node.nodeId()).isEqualTo(agent.nodeId());
        assertThat(node.url()).isEqualTo(agent.url());
        assertThat(node.transports()).containsExactly("local", "http");
        assertThat(node.unavailable()).containsKeys("rdma", "shm", "cuda-vmm", "DFS");
        assertThat(node.tiers()).allMatch(NodeDescription.TierView::mounted).hasSize(2);
        assertThat(Files.exists(home.resolve("state/node.properties"))).isTrue();
    }
}
