package io.weighbridge.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.weighbridge.agent.flow.ByteBudget;
import io.weighbridge.agent.tier.Extent;
import io.weighbridge.agent.tier.ExtentReader;
import io.weighbridge.ledger.key.TreeDigest;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.wire.Reports;
import io.weighbridge.wire.StartTransfers;
import io.weighbridge.wire.Transfer;
import io.weighbridge.wire.Transfers;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pulls between agents over sockets (spec 4.2); the ledger is played by the test. */
class TransferIT {

    private static final FakeLedger LEDGER = new FakeLedger();
    /** Slow machines run these tests too; what happens when a lease ends has tests of its own. */
    private static final Duration A_MINUTE = Duration.ofSeconds(60);

    private static final byte[] BYTES = new byte[(37 << 20) + 11];

    @TempDir
    static Path home;

    private static RunningAgent source;
    private static RunningAgent target;
    private static FakeLedger.Put original;
    private static String digest = "";

    @BeforeAll
    static void start() throws Exception {
        new Random(5).nextBytes(BYTES);
        digest = tree(BYTES);
        source = RunningAgent.start(LEDGER, home.resolve("source"), "--weighbridge.agent.memory-bytes=200MB");
        target = RunningAgent.start(
                LEDGER,
                home.resolve("target"),
                "--weighbridge.agent.memory-bytes=400MB",
                "--weighbridge.agent.disk-bytes=400MB");
        original = LEDGER.put(source, Tier.MEMORY, "w/1", BYTES.length, ObjectType.WEIGHT);
        assertThat(source.put(original, 0, BYTES).statusCode()).isEqualTo(201);
        LEDGER.readable(source, original, Tier.MEMORY);
    }

    @AfterAll
    static void stop() {
        source.close();
        target.close();
        LEDGER.close();
    }

    private static String tree(byte[] bytes) {
        TreeDigest tree = new TreeDigest();
        tree.update(ByteBuffer.wrap(bytes));
        return tree.finish();
    }

    private static StartTransfers.Source from(RunningAgent agent, FakeLedger.Put put, Duration ttl) {
        return new StartTransfers.Source(
                agent.url(), agent.nodeId(), put.replicaId(), Tier.MEMORY, LEDGER.lease(agent, put, ttl));
    }

    private static StartTransfers.Source from(FakeSource fake) {
        return new StartTransfers.Source(
                fake.url(),
                LEDGER.newId(),
                original.replicaId(),
                Tier.MEMORY,
                LEDGER.lease(source, original, A_MINUTE));
    }

    private static FakeLedger.Put copy(Tier tier) {
        return LEDGER.put(target, tier, "w/1", BYTES.length, ObjectType.WEIGHT);
    }

    private static StartTransfers.Item item(FakeLedger.Put copy, StartTransfers.Source... sources) {
        return new StartTransfers.Item(
                "w/1", digest, List.of(sources), new StartTransfers.Target(copy.replicaId(), copy.token()));
    }

    private static Transfer order(StartTransfers.Item item) throws Exception {
        HttpResponse<String> response = target.control("POST", "/v1/transfers", new StartTransfers(List.of(item)));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        return RunningAgent.read(response, Transfers.class).transfers().getFirst();
    }

    private static Transfer find(UUID id) {
        try {
            return RunningAgent.read(target.control("GET", "/v1/transfers/" + id, ""), Transfer.class);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Transfer end(Transfer transfer) throws Exception {
        RunningAgent.await(
                "the transfer ends", () -> find(transfer.transferId()).endedAt() != null);
        return find(transfer.transferId());
    }

    private static void done(FakeLedger.Put copy, Transfer ended, Tier tier) throws Exception {
        assertThat(ended.state()).as(String.valueOf(ended)).isEqualTo(Transfer.State.DONE);
        assertThat(ended.bytesDone()).isEqualTo(BYTES.length);
        assertThat(ended.bytesTotal()).isEqualTo(BYTES.length);
        assertThat(LEDGER.stored(copy.replicaId()).digest()).isEqualTo(digest);
        assertThat(LEDGER.checksums(copy.replicaId())).isEqualTo(LEDGER.checksums(original.replicaId()));
        byte[] read = target.get("w/1", LEDGER.lease(target, copy, A_MINUTE)).body();
        assertThat(MessageDigest.isEqual(read, BYTES)).isTrue();
        LEDGER.reclaim.add(copy.replicaId());
        RunningAgent.await("FREED", () -> LEDGER.has(copy.replicaId(), Reports.Event.FREED));
        assertThat(target.store(tier).find(copy.replicaId())).isNull();
        assertThat(target.bean(ByteBudget.class).free()).isEqualTo(256L << 20);
    }

    @Test
    void pullsFromAPeerIntoEitherTier() throws Exception {
        for (Tier tier : new Tier[] {Tier.MEMORY, Tier.LOCAL_DISK}) {
            FakeLedger.Put copy = copy(tier);
            Transfer ended = end(order(item(copy, from(source, original, A_MINUTE))));
            assertThat(ended.transport()).isEqualTo("http");
            done(copy, ended, tier);
        }
    }

    @Test
    void movesBetweenItsTiers() throws Exception {
        FakeLedger.Put memory = copy(Tier.MEMORY);
        assertThat(target.put(memory, 0, BYTES).statusCode()).isEqualTo(201);
        FakeLedger.Put disk = copy(Tier.LOCAL_DISK);
        Transfer down = end(order(item(disk, from(target, memory, A_MINUTE))));
        assertThat(down.transport()).isEqualTo("local");
        FakeLedger.Put up = copy(Tier.MEMORY);
        done(up, end(order(item(up, from(target, disk, A_MINUTE)))), Tier.MEMORY);
        done(disk, down, Tier.LOCAL_DISK);
    }

    @Test
    void triesTheNextSource() throws Exception {
        try (FakeSource breaks = new FakeSource(FakeSource.Fault.BREAKS_OFF, BYTES);
                FakeSource lies = new FakeSource(FakeSource.Fault.LIES, BYTES)) {
            StartTransfers.Source dead = new StartTransfers.Source(
                    "http://127.0.0.1:1",
                    LEDGER.newId(),
                    original.replicaId(),
                    Tier.MEMORY,
                    from(breaks).readLease());
            FakeLedger.Put copy = copy(Tier.MEMORY);
            Transfer ended = end(order(item(copy, dead, from(breaks), from(lies), from(source, original, A_MINUTE))));
            assertThat(breaks.requests.get()).isPositive();
            assertThat(lies.requests.get()).isPositive();
            done(copy, ended, Tier.MEMORY);
        }
    }

    @Test
    void neverTakesWrongBytes() throws Exception {
        try (FakeSource lies = new FakeSource(FakeSource.Fault.LIES, BYTES)) {
            FakeLedger.Put copy = copy(Tier.LOCAL_DISK);
            Transfer ended = end(order(item(copy, from(lies))));
            assertThat(ended.state()).isEqualTo(Transfer.State.FAILED);
            assertThat(ended.code()).isEqualTo(ProblemCode.CHECKSUM_MISMATCH);
            assertThat(ended.detail()).contains(original.replicaId().toString());
            assertThat(LEDGER.has(copy.replicaId(), Reports.Event.STORED)).isFalse();
            RunningAgent.await("it is dropped", () -> target.segments().find(copy.replicaId()) == null);
        }
    }

    @Test
    void tellsOfADamagedSource() throws Exception {
        FakeLedger.Put damaged = LEDGER.put(source, Tier.LOCAL_DISK, "w/1", BYTES.length, ObjectType.WEIGHT);
        assertThat(source.put(damaged, 0, BYTES).statusCode()).isEqualTo(201);
        DownloadIT.flip(home.resolve("source/disk/extents/" + damaged.replicaId()), 20 << 20);
        FakeLedger.Put copy = copy(Tier.MEMORY);
        Transfer ended = end(order(item(copy, from(source, damaged, A_MINUTE))));
        assertThat(ended.state()).isEqualTo(Transfer.State.FAILED);
        RunningAgent.await("CORRUPT", () -> LEDGER.has(damaged.replicaId(), Reports.Event.CORRUPT));
        assertThat(LEDGER.has(copy.replicaId(), Reports.Event.STORED)).isFalse();
        LEDGER.reclaim.add(damaged.replicaId());
        FakeLedger.Put local = LEDGER.put(target, Tier.LOCAL_DISK, "w/1", BYTES.length, ObjectType.WEIGHT);
        assertThat(target.put(local, 0, BYTES).statusCode()).isEqualTo(201);
        DownloadIT.flip(home.resolve("target/disk/extents/" + local.replicaId()), 20 << 20);
        Transfer moved = end(order(item(copy(Tier.MEMORY), from(target, local, A_MINUTE))));
        assertThat(moved.code()).isEqualTo(ProblemCode.CHECKSUM_MISMATCH);
        RunningAgent.await("CORRUPT", () -> LEDGER.has(local.replicaId(), Reports.Event.CORRUPT));
        LEDGER.reclaim.add(local.replicaId());
    }

    @Test
    void tellsOfDamagedMemoryAndTakesAnotherSource() throws Exception {
        FakeLedger.Put damaged = LEDGER.put(source, Tier.MEMORY, "w/1", BYTES.length, ObjectType.WEIGHT);
        assertThat(source.put(damaged, 0, BYTES).statusCode()).isEqualTo(201);
        flip(source, damaged, 20 << 20);
        FakeLedger.Put copy = copy(Tier.MEMORY);
        Transfer ended = end(order(item(copy, from(source, damaged, A_MINUTE), from(source, original, A_MINUTE))));
        RunningAgent.await("CORRUPT", () -> LEDGER.has(damaged.replicaId(), Reports.Event.CORRUPT));
        assertThat(LEDGER.has(original.replicaId(), Reports.Event.CORRUPT)).isFalse();
        done(copy, ended, Tier.MEMORY);
        LEDGER.reclaim.add(damaged.replicaId());
    }

    @Test
    void tellsOfDamagedMemoryOfItsOwn() throws Exception {
        FakeLedger.Put damaged = copy(Tier.MEMORY);
        assertThat(target.put(damaged, 0, BYTES).statusCode()).isEqualTo(201);
        flip(target, damaged, BYTES.length - 1);
        FakeLedger.Put copy = copy(Tier.LOCAL_DISK);
        Transfer ended = end(order(item(copy, from(target, damaged, A_MINUTE), from(source, original, A_MINUTE))));
        RunningAgent.await("CORRUPT", () -> LEDGER.has(damaged.replicaId(), Reports.Event.CORRUPT));
        done(copy, ended, Tier.LOCAL_DISK);
        LEDGER.reclaim.add(damaged.replicaId());
    }

    /** Changes one byte in an agent's arena. */
    private static void flip(RunningAgent agent, FakeLedger.Put put, int offset) throws Exception {
        Extent extent = Objects.requireNonNull(agent.store(Tier.MEMORY).find(put.replicaId()));
        try (ExtentReader reader = extent.read()) {
            ByteBuf shown = reader.read(offset, 1);
            ByteBuffer memory = shown.nioBuffer();
            memory.put(0, (byte) ~memory.get(0));
            shown.release();
        }
    }

    @Test
    void renewsALeaseThatRunsOut() throws Exception {
        int before = LEDGER.located.size();
        FakeLedger.Put copy = copy(Tier.MEMORY);
        Transfer ended = end(order(item(copy, from(source, original, Duration.ofMillis(1)))));
        assertThat(LEDGER.located.size()).isGreaterThan(before);
        done(copy, ended, Tier.MEMORY);
    }

    @Test
    void failsWhenNoLeaseIsToBeHad() throws Exception {
        FakeLedger.Put gone = new FakeLedger.Put("w/1", LEDGER.newId(), original.segmentId(), "");
        Transfer ended = end(order(item(copy(Tier.MEMORY), from(source, gone, Duration.ofMillis(1)))));
        assertThat(ended.state()).isEqualTo(Transfer.State.FAILED);
        assertThat(ended.code()).isEqualTo(ProblemCode.NOT_FOUND);
    }

    @Test
    void stopsWhenCancelled() throws Exception {
        try (FakeSource trickles = new FakeSource(FakeSource.Fault.TRICKLES, BYTES)) {
            FakeLedger.Put copy = copy(Tier.MEMORY);
            Transfer begun = order(item(copy, from(trickles)));
            RunningAgent.await("it runs", () -> trickles.open.get() > 0);
            assertThat(target.control("DELETE", "/v1/transfers/" + begun.transferId(), "")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(find(begun.transferId()).state()).isEqualTo(Transfer.State.CANCELLED);
            RunningAgent.await("the peer is let go", () -> trickles.open.get() == 0);
            RunningAgent.await("the space returns", () -> target.segments().find(copy.replicaId()) == null);
            RunningAgent.await(
                    "all bytes in flight return",
                    () -> target.bean(ByteBudget.class).free() == 256L << 20);
            Transfer again = order(item(copy, from(source, original, A_MINUTE)));
            assertThat(again.transferId()).isNotEqualTo(begun.transferId());
            done(copy, end(again), Tier.MEMORY);
        }
    }

    @Test
    void givesUpOnASilentSourceWhenTheTokenCloses() throws Exception {
        try (FakeSource silent = new FakeSource(FakeSource.Fault.SILENT, BYTES)) {
            FakeLedger.Put copy = copy(Tier.MEMORY);
            Transfer begun = order(item(copy, from(silent)));
            RunningAgent.await("it runs", () -> silent.open.get() > 0);
            LEDGER.closeTokens.add(copy.replicaId());
            Transfer ended = end(begun);
            assertThat(ended.code()).isEqualTo(ProblemCode.STALE_TOKEN);
            RunningAgent.await("CLOSED", () -> LEDGER.has(copy.replicaId(), Reports.Event.CLOSED));
        }
    }

    @Test
    void isDoneOnlyWhenTheLedgerKnows() throws Exception {
        FakeLedger.Put copy = copy(Tier.MEMORY);
        LEDGER.answersReports = false;
        try {
            Transfer begun = order(item(copy, from(source, original, A_MINUTE)));
            RunningAgent.await("it verifies", () -> find(begun.transferId()).state() == Transfer.State.VERIFYING);
            assertThat(order(item(copy, from(source, original, A_MINUTE))).transferId())
                    .isEqualTo(begun.transferId());
            LEDGER.answersReports = true;
            done(copy, end(begun), Tier.MEMORY);
        } finally {
            LEDGER.answersReports = true;
        }
        FakeLedger.Put refused = copy(Tier.MEMORY);
        LEDGER.refusedReports.put(refused.replicaId(), ProblemCode.STALE_TOKEN);
        Transfer ended = end(order(item(refused, from(source, original, A_MINUTE))));
        assertThat(ended.code()).isEqualTo(ProblemCode.STALE_TOKEN);
        RunningAgent.await("it is dropped", () -> target.segments().find(refused.replicaId()) == null);
    }

    @Test
    void tellsProgressAsEvents() throws Exception {
        FakeLedger.Put copy = copy(Tier.MEMORY);
        Transfer begun = order(item(copy, from(source, original, A_MINUTE)));
        HttpResponse<String> events = target.control("GET", "/v1/transfers/" + begun.transferId() + "/events", "");
        assertThat(events.headers().firstValue("content-type").orElse("")).startsWith("text/event-stream");
        assertThat(events.body()).contains("\"state\":\"DONE\"").contains("\"bytes_done\":" + BYTES.length);
        done(copy, find(begun.transferId()), Tier.MEMORY);
    }

    @Test
    void obeysTheControlPlaneOnly() throws Exception {
        HttpResponse<String> response = RunningAgent.CLIENT.send(
                HttpRequest.newBuilder(URI.create(target.url() + "/v1/transfers"))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"items\":[]}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(target.control("POST", "/v1/transfers", new StartTransfers(List.of()))
                        .statusCode())
                .isEqualTo(400);
        assertThat(target.control("GET", "/v1/transfers/" + LEDGER.newId(), "").statusCode())
                .isEqualTo(404);
        FakeLedger.Put foreign = LEDGER.put(source, Tier.MEMORY, "w/1", BYTES.length, ObjectType.WEIGHT);
        assertThat(order(item(foreign, from(source, original, A_MINUTE))).code())
                .isEqualTo(ProblemCode.PERMISSION_DENIED);
        assertThat(target.control("GET", "/v1/transfers", "").body()).contains("\"transfers\":[");
    }

    @Test
    void runsManyInTurn() throws Exception {
        List<Transfer> begun = new ArrayList<>();
        List<FakeLedger.Put> copies = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            FakeLedger.Put copy = copy(i % 2 == 0 ? Tier.MEMORY : Tier.LOCAL_DISK);
            copies.add(copy);
            begun.add(order(item(copy, from(source, original, A_MINUTE))));
        }
        for (int i = 0; i < begun.size(); i++) {
            assertThat(end(begun.get(i)).state()).isEqualTo(Transfer.State.DONE);
            LEDGER.reclaim.add(copies.get(i).replicaId());
        }
        RunningAgent.await(
                "all space returns",
                () -> copies.stream().allMatch(copy -> target.segments().find(copy.replicaId()) == null));
    }
}
