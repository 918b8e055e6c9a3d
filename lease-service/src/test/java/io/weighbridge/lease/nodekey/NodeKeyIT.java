package io.weighbridge.lease.nodekey;

import static io.weighbridge.lease.LeaseWorld.As.AGENT;
import static io.weighbridge.lease.LeaseWorld.As.ALICE;
import static io.weighbridge.lease.LeaseWorld.As.LOCAL;
import static io.weighbridge.lease.LeaseWorld.As.OTHER_AGENT;
import static io.weighbridge.lease.LeaseWorld.As.SERVICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.lease.LeaseWorld;
import io.weighbridge.lease.LeaseWorld.Answer;
import io.weighbridge.lease.LeaseWorld.As;
import io.weighbridge.lease.nodekey.application.NodeKeys;
import io.weighbridge.lease.nodekey.application.SigningKeys;
import io.weighbridge.lease.nodekey.postgres.NodeKeyRows;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.testkit.TestLedger;
import io.weighbridge.wire.ReadLeaseKeys;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** Node keys over HTTP on a real ledger. */
class NodeKeyIT {

    @RegisterExtension
    static final TestLedger LEDGER = TestLedger.perClass();

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static LeaseWorld world;

    @BeforeAll
    static void start(@TempDir Path files) {
        world = LeaseWorld.start(LEDGER, files);
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    @Test
    void theFirstCallMakesTheKeyAndBindsTheNode() {
        UUID node = UUID.randomUUID();
        Answer answer = fetch(AGENT, node).join();
        assertThat(answer.status()).isEqualTo(200);
        ReadLeaseKeys keys = answer.as(ReadLeaseKeys.class);
        assertThat(keys.keys()).singleElement().satisfies(key -> {
            assertThat(key.version()).isEqualTo(1);
            assertThat(key.secret()).matches("[A-Za-z0-9_-]{43}");
        });
        assertThat(fetch(AGENT, node).join().as(ReadLeaseKeys.class)).isEqualTo(keys);
        refused(OTHER_AGENT, node);
        for (As as : List.of(LOCAL, ALICE, SERVICE)) {
            refused(as, node);
        }
        assertThat(versions(node)).isEqualTo(List.of(1));
    }

    @Test
    void aNodeThatAnotherAgentHasRegisteredGetsNoKey() {
        UUID node = world.node("http://10.0.0.1:1", AGENT.subject());
        refused(OTHER_AGENT, node);
        assertThat(versions(node)).isEmpty();
        assertThat(fetch(AGENT, node).join().status()).isEqualTo(200);
    }

    @Test
    void aMalformedOrMissingNodeIsRefused() {
        for (String query : List.of("", "?node_id=", "?node_id=nonsense")) {
            assertThat(world.get(AGENT, "/v1/read-lease-keys" + query).problem().code())
                    .isEqualTo(ProblemCode.INVALID_ARGUMENT);
        }
    }

    @Test
    void concurrentFirstCallsAgreeOnOneKey() {
        UUID node = UUID.randomUUID();
        List<CompletableFuture<Answer>> fetching =
                IntStream.range(0, 20).mapToObj(i -> fetch(AGENT, node)).toList();
        assertThat(fetching.stream().map(one -> one.join().body()).distinct()).hasSize(1);
    }

    @Test
    void keysRotateWithOverlapAndAtMostTwoAreKept() {
        UUID node = UUID.randomUUID();
        UUID young = UUID.randomUUID();
        fetch(AGENT, node).join();
        fetch(AGENT, young).join();
        for (int round = 2; round <= 4; round++) {
            age(node, "25 hours");
            NodeKeys keys = world.bean(NodeKeys.class);
            assertThat(Mono.zip(keys.rotate(), keys.rotate(), Long::sum).block(LIMIT))
                    .as("instances that rotate at once agree")
                    .isEqualTo(1);
            assertThat(versions(node)).isEqualTo(List.of(round, round - 1));
        }
        assertThat(versions(young)).isEqualTo(List.of(1));
        assertThat(fetch(AGENT, node).join().as(ReadLeaseKeys.class).keys().stream()
                        .map(ReadLeaseKeys.Key::version)
                        .toList())
                .isEqualTo(List.of(4, 3));
    }

    @Test
    void aNewerKeySignsOnceItsNodeHasHadTimeToFetchIt() {
        UUID node = UUID.randomUUID();
        UUID keyless = UUID.randomUUID();
        AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
        InstantSource clock = now::get;
        SigningKeys signing = new SigningKeys(world.bean(NodeKeyRows.class), Duration.ofMinutes(1), clock);
        assertThat(signing.of(Set.of(node)).block(LIMIT)).isEmpty();
        fetch(AGENT, node).join();
        assertThat(version(signing, node)).as("the first key signs at once").isEqualTo(1);
        age(node, "25 hours");
        world.bean(NodeKeys.class).rotate().block(LIMIT);
        now.set(Instant.EPOCH.plusSeconds(31));
        assertThat(version(signing, node)).isEqualTo(1);
        LEDGER.sql("UPDATE lease.node_key SET created_at = created_at - interval '61 seconds' WHERE node_id = ?", node);
        assertThat(version(signing, node)).as("remembered for a while").isEqualTo(1);
        now.set(Instant.EPOCH.plusSeconds(62));
        assertThat(version(signing, node)).isEqualTo(2);
        assertThat(signing.of(Set.of(node, keyless)).block(LIMIT)).containsOnlyKeys(node);
    }

    private static int version(SigningKeys signing, UUID node) {
        return Objects.requireNonNull(
                        Objects.requireNonNull(signing.of(Set.of(node)).block(LIMIT))
                                .get(node))
                .version();
    }

    private static void age(UUID node, String by) {
        LEDGER.sql("UPDATE lease.node_key SET created_at = created_at - ?::interval WHERE node_id = ?", by, node);
    }

    private static List<Object> versions(UUID node) {
        return LEDGER.rows("SELECT version FROM lease.node_key WHERE node_id = ? ORDER BY version DESC", node).stream()
                .<Object>map((Map<String, ?> row) -> Objects.requireNonNull(row.get("version")))
                .toList();
    }

    private static CompletableFuture<Answer> fetch(As as, UUID node) {
        return world.send(as, "GET", "/v1/read-lease-keys?node_id=" + node, null);
    }

    private static void refused(As as, UUID node) {
        assertThat(fetch(as, node).join().problem().code()).isEqualTo(ProblemCode.PERMISSION_DENIED);
    }
}
