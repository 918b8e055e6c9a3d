package io.weighbridge.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.key.TreeDigest;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.wire.ContentStored;
import io.weighbridge.wire.ProblemBody;
import io.weighbridge.wire.Reports;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes into an agent over sockets (spec 2.2); the ledger is played by the test. */
class UploadIT {

    private static final FakeLedger LEDGER = new FakeLedger();
    private static final Random RANDOM = new Random(7);

    @TempDir
    static Path home;

    private static RunningAgent agent;

    @BeforeAll
    static void start() throws Exception {
        agent = RunningAgent.start(LEDGER, home, "--weighbridge.agent.upload-patience=1s");
    }

    @AfterAll
    static void stop() {
        agent.close();
        LEDGER.close();
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    private static String tree(byte[] bytes) {
        TreeDigest digest = new TreeDigest();
        digest.update(ByteBuffer.wrap(bytes));
        return digest.finish();
    }

    private static void refused(HttpResponse<String> response, ProblemCode code) {
        assertThat(RunningAgent.read(response, ProblemBody.class).code())
                .as(response.body())
                .isEqualTo(code);
    }

    @ParameterizedTest
    @EnumSource(
            value = Tier.class,
            names = {"MEMORY", "LOCAL_DISK"})
    void storesReportsAndGivesBack(Tier tier) throws Exception {
        byte[] bytes = bytes((20 << 20) + 12345);
        FakeLedger.Put put = LEDGER.put(agent, tier, "weights/a b/é/" + tier, bytes.length, ObjectType.WEIGHT);

        HttpResponse<String> response = agent.put(put, 0, bytes);

        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        assertThat(RunningAgent.read(response, ContentStored.class))
                .isEqualTo(new ContentStored(put.replicaId(), bytes.length, tree(bytes)));
        Reports.Item stored = LEDGER.stored(put.replicaId());
        assertThat(stored.size()).isEqualTo(bytes.length);
        assertThat(stored.digest()).isEqualTo(tree(bytes));
        assertThat(stored.crc32c()).hasSize(6);
        assertThat(stored.writeToken()).isEqualTo(put.token());
        HttpResponse<byte[]> read = agent.get(put.key(), LEDGER.lease(agent, put, Duration.ofSeconds(10)));
        assertThat(read.statusCode()).isEqualTo(200);
        assertThat(read.headers().firstValue("etag")).contains("\"7\"");
        assertThat(MessageDigest.isEqual(read.body(), bytes)).isTrue();
        free(put, tier);
    }

    private static void free(FakeLedger.Put put, Tier tier) throws Exception {
        LEDGER.reclaim.add(put.replicaId());
        RunningAgent.await("FREED", () -> LEDGER.has(put.replicaId(), Reports.Event.FREED));
        assertThat(agent.store(tier).find(put.replicaId())).isNull();
    }

    @Test
    void digestsMetadataPlainly() throws Exception {
        byte[] bytes = bytes(5000);
        FakeLedger.Put put = LEDGER.put(agent, Tier.MEMORY, "manifest", bytes.length, ObjectType.METADATA);
        HttpResponse<String> response = agent.put(put, 0, bytes);
        assertThat(RunningAgent.read(response, ContentStored.class).digest())
                .isEqualTo(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
    }

    @ParameterizedTest
    @EnumSource(
            value = Tier.class,
            names = {"MEMORY", "LOCAL_DISK"})
    void storesNothingAsAnObject(Tier tier) throws Exception {
        FakeLedger.Put put = LEDGER.put(agent, tier, "empty/" + tier, 0, ObjectType.GENERAL);
        HttpResponse<String> response = agent.put(put, 0, new byte[0]);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        assertThat(RunningAgent.read(response, ContentStored.class).digest())
                .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        HttpResponse<byte[]> read = agent.get(put.key(), LEDGER.lease(agent, put, Duration.ofSeconds(10)));
        assertThat(read.statusCode()).isEqualTo(200);
        assertThat(read.body()).isEmpty();
    }

    @Test
    void repeatsAndContinues() throws Exception {
        byte[] bytes = bytes(300_000);
        FakeLedger.Put put = LEDGER.put(agent, Tier.LOCAL_DISK, "resumed", bytes.length, ObjectType.WEIGHT);
        assertThat(agent.head(put).headers().firstValue("upload-offset")).contains("0");

        HttpResponse<String> part = agent.put(put, 0, java.util.Arrays.copyOf(bytes, 100_000));
        assertThat(part.statusCode()).isEqualTo(202);
        assertThat(part.headers().firstValue("upload-offset")).contains("100000");
        assertThat(agent.head(put).headers().firstValue("upload-offset")).contains("100000");
        assertThat(agent.head(put).headers().firstValue("upload-length")).contains("300000");

        refused(agent.put(put, 99_999, new byte[1]), ProblemCode.CONFLICT);
        refused(agent.put(put, 100_001, new byte[1]), ProblemCode.CONFLICT);
        HttpResponse<String> rest = agent.put(put, 100_000, java.util.Arrays.copyOfRange(bytes, 100_000, bytes.length));
        assertThat(rest.statusCode()).as(rest.body()).isEqualTo(201);
        assertThat(RunningAgent.read(rest, ContentStored.class).digest()).isEqualTo(tree(bytes));

        HttpResponse<String> again = agent.put(put, 0, bytes);
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(again.body()).isEqualTo(rest.body());
        assertThat(agent.head(put).headers().firstValue("upload-offset")).contains("300000");
    }

    @Test
    void refusesMoreThanAnnouncedAndKeepsNothing() throws Exception {
        FakeLedger.Put put = LEDGER.put(agent, Tier.MEMORY, "too-large", 100, ObjectType.WEIGHT);
        HttpResponse<String> announced = agent.put(put, 0, bytes(101));
        assertThat(announced.statusCode()).isEqualTo(413);
        refused(announced, ProblemCode.PAYLOAD_TOO_LARGE);
        refused(
                agent.put(
                        put,
                        0,
                        HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes(200_000)))),
                ProblemCode.PAYLOAD_TOO_LARGE);
        RunningAgent.await("nothing is kept", () -> agent.store(Tier.MEMORY).find(put.replicaId()) == null);
        assertThat(agent.put(put, 0, bytes(100)).statusCode()).isEqualTo(201);
    }

    @Test
    void refusesForeignOldAndExpiredTokens() throws Exception {
        FakeLedger.Put put = LEDGER.put(agent, Tier.MEMORY, "tokens", 10, ObjectType.WEIGHT);
        FakeLedger.Put otherKey = new FakeLedger.Put("tokenz", put.replicaId(), put.segmentId(), put.token());
        refused(agent.put(otherKey, 0, bytes(10)), ProblemCode.PERMISSION_DENIED);
        String forged = put.token().substring(0, put.token().length() - 4) + "AAAA";
        refused(
                agent.put(new FakeLedger.Put(put.key(), put.replicaId(), put.segmentId(), forged), 0, bytes(10)),
                ProblemCode.PERMISSION_DENIED);
        refused(
                agent.put(new FakeLedger.Put(put.key(), put.replicaId(), put.segmentId(), "x"), 0, bytes(10)),
                ProblemCode.PERMISSION_DENIED);
        refused(
                agent.put(
                        LEDGER.put(
                                agent,
                                Tier.MEMORY,
                                "late",
                                10,
                                ObjectType.WEIGHT,
                                FakeLedger.now().minusMillis(1),
                                0),
                        0,
                        bytes(10)),
                ProblemCode.STALE_TOKEN);
        refused(
                agent.put(
                        LEDGER.put(
                                agent,
                                Tier.MEMORY,
                                "epoch",
                                10,
                                ObjectType.WEIGHT,
                                FakeLedger.now().plusSeconds(60),
                                -1),
                        0,
                        bytes(10)),
                ProblemCode.STALE_TOKEN);
        assertThat(agent.store(Tier.MEMORY).find(put.replicaId())).isNull();
    }

    @Test
    void takesANewKeyBeforeTheHeartbeatTellsOfIt() throws Exception {
        RunningAgent.await(
                "the agent may ask for keys again: once a second at most",
                () -> FakeLedger.now().isAfter(LEDGER.keysAsked.plusMillis(1100)));
        LEDGER.keyVersion = 2;
        FakeLedger.Put put = LEDGER.put(agent, Tier.MEMORY, "rotated", 10, ObjectType.WEIGHT);
        assertThat(agent.put(put, 0, bytes(10)).statusCode()).isEqualTo(201);
    }

    @Test
    void refusesWhatDoesNotFit() throws Exception {
        long used = agent.store(Tier.LOCAL_DISK).usedBytes();
        FakeLedger.Put put = LEDGER.put(agent, Tier.LOCAL_DISK, "huge", 65L << 20, ObjectType.WEIGHT);
        HttpResponse<String> response = agent.put(put, 0, new byte[10]);
        assertThat(response.statusCode()).isEqualTo(507);
        refused(response, ProblemCode.NO_SPACE);
        assertThat(agent.store(Tier.LOCAL_DISK).usedBytes()).isEqualTo(used);
    }

    @Test
    void dropsWhatTheLedgerRefuses() throws Exception {
        FakeLedger.Put put = LEDGER.put(agent, Tier.MEMORY, "refused", 10, ObjectType.WEIGHT);
        LEDGER.refusedReports.put(put.replicaId(), ProblemCode.CHECKSUM_MISMATCH);
        refused(agent.put(put, 0, bytes(10)), ProblemCode.CHECKSUM_MISMATCH);
        RunningAgent.await("it is dropped", () -> agent.store(Tier.MEMORY).find(put.replicaId()) == null);
    }

    @Test
    void repeatsAReportUntilItIsAnswered() throws Exception {
        FakeLedger.Put put = LEDGER.put(agent, Tier.MEMORY, "patience", 10, ObjectType.WEIGHT);
        LEDGER.answersReports = false;
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<HttpResponse<String>> response = threads.submit(() -> agent.put(put, 0, bytes(10)));
            RunningAgent.await("the bytes are there", () -> {
                var extent = agent.store(Tier.MEMORY).find(put.replicaId());
                return extent != null && extent.content() != null;
            });
            assertThat(response.isDone()).isFalse();
            LEDGER.answersReports = true;
            assertThat(response.get().statusCode()).isEqualTo(201);
        } finally {
            LEDGER.answersReports = true;
        }
    }

    @Test
    void keepsWhatCameBeforeTheConnectionBroke() throws Exception {
        byte[] bytes = bytes(200_000);
        FakeLedger.Put put = LEDGER.put(agent, Tier.LOCAL_DISK, "broken", bytes.length, ObjectType.WEIGHT);
        try (Socket socket = open(put, bytes.length)) {
            socket.getOutputStream().write(bytes, 0, 150_000);
            socket.getOutputStream().flush();
            RunningAgent.await("bytes arrive", () -> offset(put) == 150_000);
            refused(agent.put(put, 150_000, new byte[1]), ProblemCode.BUSY);
        }
        RunningAgent.await("the writer has gone", () -> {
            var extent = agent.store(Tier.LOCAL_DISK).find(put.replicaId());
            return extent != null && !extent.isWriting();
        });
        int kept = (int) offset(put);
        assertThat(kept).isPositive();
        HttpResponse<String> rest = agent.put(put, kept, java.util.Arrays.copyOfRange(bytes, kept, bytes.length));
        assertThat(rest.statusCode()).as(rest.body()).isEqualTo(201);
        assertThat(RunningAgent.read(rest, ContentStored.class).digest()).isEqualTo(tree(bytes));
    }

    private static long offset(FakeLedger.Put put) {
        var extent = agent.segments().find(put.replicaId());
        return extent == null ? 0 : extent.written();
    }

    private static Socket open(FakeLedger.Put put, int length) throws Exception {
        Socket socket = new Socket("127.0.0.1", agent.port());
        OutputStream out = socket.getOutputStream();
        out.write(("PUT " + agent.content(put.key()).getRawPath() + "?"
                        + agent.content(put.key()).getRawQuery() + " HTTP/1.1\r\nHost: 127.0.0.1:" + agent.port()
                        + "\r\nWrite-Token: " + put.token() + "\r\nContent-Length: " + length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
        out.flush();
        return socket;
    }

    @Test
    void cutsASenderThatFallsSilent() throws Exception {
        FakeLedger.Put put = LEDGER.put(agent, Tier.MEMORY, "silent", 100_000, ObjectType.WEIGHT);
        try (Socket socket = open(put, 100_000)) {
            socket.getOutputStream().write(bytes(50_000));
            socket.getOutputStream().flush();
            byte[] answer = socket.getInputStream().readNBytes(15);
            assertThat(new String(answer, StandardCharsets.US_ASCII)).startsWith("HTTP/1.1 504");
        }
        assertThat(offset(put)).isEqualTo(50_000);
    }

    @Test
    void closesATokenUnderItsWriter() throws Exception {
        FakeLedger.Put put = LEDGER.put(agent, Tier.MEMORY, "closed", 100_000, ObjectType.WEIGHT);
        long used = agent.store(Tier.MEMORY).usedBytes();
        try (Socket socket = open(put, 100_000)) {
            socket.getOutputStream().write(bytes(50_000));
            socket.getOutputStream().flush();
            RunningAgent.await("bytes arrive", () -> offset(put) > 0);
            LEDGER.closeTokens.add(put.replicaId());
            RunningAgent.await("CLOSED", () -> LEDGER.has(put.replicaId(), Reports.Event.CLOSED));
            byte[] answer = socket.getInputStream().readNBytes(15);
            assertThat(new String(answer, StandardCharsets.US_ASCII)).startsWith("HTTP/1.1 409");
        }
        assertThat(agent.store(Tier.MEMORY).usedBytes()).isEqualTo(used);
        refused(agent.put(put, 0, bytes(100_000)), ProblemCode.STALE_TOKEN);
    }

    @Test
    void returnsTheSpaceOfAnExpiredUpload() throws Exception {
        FakeLedger.Put put = LEDGER.put(
                agent,
                Tier.LOCAL_DISK,
                "abandoned",
                1000,
                ObjectType.WEIGHT,
                FakeLedger.now().plusMillis(1500),
                0);
        assertThat(agent.put(put, 0, bytes(10)).statusCode()).isEqualTo(202);
        assertThat(agent.store(Tier.LOCAL_DISK).find(put.replicaId())).isNotNull();
        RunningAgent.await(
                "the space returns", () -> agent.store(Tier.LOCAL_DISK).find(put.replicaId()) == null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../../x", "/etc/passwd", "a/../../b", "..", "C:\\x", "%2e%2e%2f", "a\nb", "~"})
    void neverMakesAPathOfAKey(String key) throws Exception {
        FakeLedger.Put put = LEDGER.put(agent, Tier.LOCAL_DISK, key, 3, ObjectType.WEIGHT);
        HttpResponse<String> response = agent.put(put, 0, "abc".getBytes(StandardCharsets.US_ASCII));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        assertThat(agent.get(key, LEDGER.lease(agent, put, Duration.ofSeconds(10)))
                        .body())
                .isEqualTo("abc".getBytes(StandardCharsets.US_ASCII));
        try (Stream<Path> files = Files.walk(home.resolve("disk"))) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> home.resolve("disk").relativize(file).toString()))
                    .allMatch(name -> name.matches(
                            "lock|segment\\.properties|(incoming/[0-9a-f-]{36}\\.part)|(extents/[0-9a-f-]{36})"));
        }
        assertThat(home.resolve("x")).doesNotExist();
    }

    @Test
    void refusesKeysThatAreNone() throws Exception {
        for (String key : List.of("", "a\0b", "x".repeat(1025))) {
            FakeLedger.Put put = LEDGER.put(agent, Tier.MEMORY, key, 1, ObjectType.WEIGHT);
            HttpResponse<String> response = agent.put(put, 0, new byte[1]);
            assertThat(response.statusCode()).isEqualTo(400);
            refused(response, ProblemCode.INVALID_ARGUMENT);
        }
        refused(
                RunningAgent.CLIENT.send(
                        HttpRequest.newBuilder(agent.content("k"))
                                .PUT(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString()),
                ProblemCode.UNAUTHENTICATED);
    }

    @Test
    void takesManyAtOnce() throws Exception {
        List<Callable<String>> uploads = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            byte[] bytes = bytes(100_000 + i);
            Tier tier = i % 2 == 0 ? Tier.MEMORY : Tier.LOCAL_DISK;
            FakeLedger.Put put = LEDGER.put(agent, tier, "many/" + i, bytes.length, ObjectType.KVCACHE);
            uploads.add(() -> {
                HttpResponse<String> response = agent.put(put, 0, bytes);
                assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
                byte[] read = agent.get(put.key(), LEDGER.lease(agent, put, Duration.ofSeconds(10)))
                        .body();
                assertThat(MessageDigest.isEqual(read, bytes)).isTrue();
                return RunningAgent.read(response, ContentStored.class).digest();
            });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(32)) {
            for (Future<String> digest : threads.invokeAll(uploads)) {
                assertThat(digest.get()).hasSize(64);
            }
        }
    }
}
