package io.weighbridge.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.agent.registration.application.NodeLife;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.wire.Reports;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent's life with the ledger (spec 2.6, 4), which is played by the test. */
class NodeLifeIT {

    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

    @TempDir
    private Path home;

    private final FakeLedger ledger = new FakeLedger();
    private final byte[] bytes = new byte[9 << 20];

    NodeLifeIT() {
        new Random(11).nextBytes(bytes);
    }

    @AfterEach
    void stop() {
        ledger.close();
    }

    private FakeLedger.Put stored(RunningAgent agent, Tier tier, String key) throws Exception {
        FakeLedger.Put put = ledger.put(agent, tier, key, bytes.length, ObjectType.WEIGHT);
        assertThat(agent.put(put, 0, bytes).statusCode()).isEqualTo(201);
        return put;
    }

    private Path file(FakeLedger.Put put) {
        return home.resolve("disk/extents").resolve(put.replicaId().toString());
    }

    @Test
    void keepsItsDiskOverARestartAndNotItsMemory() throws Exception {
        FakeLedger.Put onDisk;
        FakeLedger.Put inMemory;
        UUID nodeId;
        try (RunningAgent agent = RunningAgent.start(ledger, home)) {
            onDisk = stored(agent, Tier.LOCAL_DISK, "kept");
            inMemory = stored(agent, Tier.MEMORY, "lost");
            ledger.list(onDisk, bytes.length);
            nodeId = agent.nodeId();
        }
        Files.writeString(home.resolve("disk/incoming/half.part"), "left over");
        try (RunningAgent agent = RunningAgent.start(ledger, home)) {
            assertThat(agent.nodeId()).isEqualTo(nodeId);
            assertThat(ledger.epoch(agent.segment(Tier.LOCAL_DISK))).isEqualTo(1);
            assertThat(ledger.epoch(agent.segment(Tier.MEMORY))).isEqualTo(2);
            assertThat(ledger.registrations.get(0).agentIncarnation())
                    .isNotEqualTo(ledger.registrations.get(1).agentIncarnation());
            assertThat(agent.get("kept", ledger.lease(agent, onDisk, TEN_SECONDS))
                            .body())
                    .isEqualTo(bytes);
            assertThat(agent.get("lost", ledger.lease(agent, inMemory, TEN_SECONDS))
                            .statusCode())
                    .isEqualTo(404);
            assertThat(home.resolve("disk/incoming/half.part")).doesNotExist();
            assertThat(ledger.reported(Reports.Event.CORRUPT)).isEmpty();
            assertThat(agent.store(Tier.LOCAL_DISK).usedBytes()).isEqualTo(bytes.length);
        }
    }

    @Test
    void findsWhatTheDiskHasDamagedBeforeItMounts() throws Exception {
        FakeLedger.Put sound;
        FakeLedger.Put flipped;
        FakeLedger.Put truncated;
        FakeLedger.Put missing;
        FakeLedger.Put unlisted;
        try (RunningAgent agent = RunningAgent.start(ledger, home)) {
            sound = stored(agent, Tier.LOCAL_DISK, "sound");
            flipped = stored(agent, Tier.LOCAL_DISK, "flipped");
            truncated = stored(agent, Tier.LOCAL_DISK, "truncated");
            missing = stored(agent, Tier.LOCAL_DISK, "missing");
            unlisted = stored(agent, Tier.LOCAL_DISK, "unlisted");
        }
        for (FakeLedger.Put put : new FakeLedger.Put[] {sound, flipped, truncated, missing}) {
            ledger.list(put, bytes.length);
        }
        DownloadIT.flip(file(flipped), bytes.length - 1);
        try (FileChannel channel = FileChannel.open(file(truncated), StandardOpenOption.WRITE)) {
            channel.truncate(bytes.length / 2);
        }
        Files.delete(file(missing));
        int mounted = ledger.mounts.size();
        try (RunningAgent agent = RunningAgent.start(ledger, home)) {
            assertThat(ledger.reported(Reports.Event.CORRUPT))
                    .containsExactlyInAnyOrder(flipped.replicaId(), truncated.replicaId(), missing.replicaId());
            assertThat(ledger.mounts).hasSize(mounted + 2);
            assertThat(file(unlisted)).doesNotExist();
            assertThat(file(truncated)).doesNotExist();
            assertThat(agent.get("sound", ledger.lease(agent, sound, TEN_SECONDS))
                            .body())
                    .isEqualTo(bytes);
            assertThat(agent.get("flipped", ledger.lease(agent, flipped, TEN_SECONDS), "Range", "bytes=8388608-")
                            .statusCode())
                    .isEqualTo(422);
        }
    }

    @Test
    void stopsServingWhenANewerStartHasTakenOver() throws Exception {
        try (RunningAgent agent = RunningAgent.start(ledger, home)) {
            FakeLedger.Put put = stored(agent, Tier.MEMORY, "k");
            var registered = ledger.registrations.getLast();
            ledger.forgetIncarnation(agent.nodeId());
            RunningAgent.await(
                    "it is superseded",
                    () -> agent.bean(NodeLife.class).whenSuperseded().isDone());
            assertThat(agent.isReady()).isFalse();
            assertThat(agent.get("k", ledger.lease(agent, put, TEN_SECONDS)).statusCode())
                    .isEqualTo(503);
            assertThat(agent.put(ledger.put(agent, Tier.MEMORY, "l", 1, ObjectType.WEIGHT), 0, new byte[1])
                            .statusCode())
                    .isEqualTo(503);
            assertThat(ready(agent)).isEqualTo(503);
            assertThat(ledger.registrations).endsWith(registered);
        }
    }

    private static int ready(RunningAgent agent) throws Exception {
        return RunningAgent.CLIENT
                .send(
                        HttpRequest.newBuilder(URI.create(agent.url() + "/readyz"))
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void registersAgainWhenTheLedgerHasForgottenIt() throws Exception {
        try (RunningAgent agent = RunningAgent.start(ledger, home)) {
            FakeLedger.Put kept = stored(agent, Tier.MEMORY, "kept");
            FakeLedger.Put dropped = stored(agent, Tier.MEMORY, "dropped");
            ledger.list(kept, bytes.length);
            ledger.forget(agent.nodeId());
            RunningAgent.await("it registers again", () -> ledger.registrations.size() == 2 && agent.isReady());
            assertThat(ledger.epoch(agent.segment(Tier.MEMORY))).isEqualTo(1);
            assertThat(agent.get("kept", ledger.lease(agent, kept, TEN_SECONDS)).body())
                    .isEqualTo(bytes);
            assertThat(agent.store(Tier.MEMORY).find(dropped.replicaId())).isNull();
        }
    }

    @Test
    void servesReadersWhileTheLedgerIsDown() throws Exception {
        try (RunningAgent agent = RunningAgent.start(ledger, home)) {
            FakeLedger.Put put = stored(agent, Tier.LOCAL_DISK, "served");
            String lease = ledger.lease(agent, put, TEN_SECONDS);
            ledger.down = true;
            RunningAgent.await(
                    "the agent notices", () -> !agent.bean(NodeLife.class).isLedgerReachable());
            assertThat(agent.get("served", lease).body()).isEqualTo(bytes);
            assertThat(agent.isReady()).isTrue();
            ledger.down = false;
            RunningAgent.await(
                    "it beats again", () -> agent.bean(NodeLife.class).isLedgerReachable());
        }
    }

    @Test
    void startsBeforeTheLedger() throws Exception {
        ledger.down = true;
        try (RunningAgent agent = RunningAgent.startOnly(ledger, home)) {
            assertThat(ready(agent)).isEqualTo(503);
            ledger.down = false;
            RunningAgent.await("the agent is ready", agent::isReady);
            assertThat(ready(agent)).isEqualTo(200);
        }
    }

    @Test
    void refusesADirectoryInUse() throws Exception {
        try (RunningAgent agent = RunningAgent.start(ledger, home)) {
            assertThat(agent.isReady()).isTrue();
            assertThatThrownBy(() -> RunningAgent.startOnly(ledger, home)).hasStackTraceContaining("is in use");
        }
    }
}
