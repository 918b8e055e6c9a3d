package io.weighbridge.lease.revisionlease;

import static io.weighbridge.lease.LeaseWorld.As.ALICE;
import static io.weighbridge.lease.LeaseWorld.As.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.lease.LeaseWorld;
import io.weighbridge.lease.LeaseWorld.Answer;
import io.weighbridge.lease.LeaseWorld.As;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.token.Secret;
import io.weighbridge.testkit.TestLedger;
import io.weighbridge.wire.AcquiredLease;
import io.weighbridge.wire.LeaseView;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many commands at once on few leases. The log tells in which order each lease changed; an independent model checks that
 * every answer is explained by it, and that the rows are what it ends with.
 */
class ConcurrentLeasesIT {

    private static final int COMMANDS = 200;
    private static final int HOLDERS = 3;

    @RegisterExtension
    static final TestLedger LEDGER = TestLedger.perClass();

    private static LeaseWorld world;

    @BeforeAll
    static void start(@TempDir Path files) {
        world = LeaseWorld.start(LEDGER, files);
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    /** A command and what it was answered. */
    private record Asked(As as, String command, String holder, UUID lease, String token, Answer answer) {

        boolean succeeded() {
            return answer.status() < 300;
        }
    }

    /** One entry of the log. */
    private record Logged(String kind, UUID lease, String holder, long version, String tokenHash, String subject) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyAnswerIsExplainedByTheLog(long seed) {
        RevisionId revision = world.revision();
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        List<AcquiredLease> known = new ArrayList<>();
        for (int i = 0; i < HOLDERS; i++) {
            known.add(world.acquired(ALICE, revision, "rank-" + i, 60_000));
        }
        List<Asked> asked = new ArrayList<>();
        known.forEach(lease -> asked.add(asked(lease)));
        // Waves, so that later ones know the tokens that earlier ones got.
        for (int wave = 0; wave < 5; wave++) {
            List<CompletableFuture<Asked>> running = new ArrayList<>();
            for (int i = 0; i < COMMANDS / 5; i++) {
                running.add(command(random, revision, known));
            }
            for (CompletableFuture<Asked> one : running) {
                Asked done = one.join();
                asked.add(done);
                if (done.command().equals("acquire") && done.succeeded()) {
                    known.add(done.answer().as(AcquiredLease.class));
                }
            }
        }
        check(revision, asked);
    }

    private static Asked asked(AcquiredLease lease) {
        String body = LeaseWorld.JSON.writeValueAsString(lease);
        // The answer's transport does not matter to the model.
        return new Asked(
                ALICE, "acquire", lease.lease().holder(), lease.lease().leaseId(), "", new Answer(201, body, ""));
    }

    private static CompletableFuture<Asked> command(
            RandomGenerator random, RevisionId revision, List<AcquiredLease> known) {
        // Mostly the newest, sometimes one whose token or lease is gone.
        int back = Math.min(known.size(), 1 + random.nextInt(6));
        AcquiredLease lease = known.get(known.size() - back);
        UUID id = lease.lease().leaseId();
        String token = lease.leaseToken();
        As as = random.nextInt(8) == 0 ? BOB : ALICE;
        String holder = "rank-" + random.nextInt(HOLDERS);
        long ttl = 30_000 + random.nextInt(60_000);
        return switch (random.nextInt(3)) {
            case 0 ->
                world.acquiring(as, revision, holder, ttl, "\"2\"")
                        .thenApply(answer -> new Asked(as, "acquire", holder, id, "", answer));
            case 1 ->
                world.send(as, "POST", "/v1/leases/" + id + "/renew", "{\"ttl_ms\":" + ttl + "}", "Lease-Token", token)
                        .thenApply(answer -> new Asked(as, "renew", holder, id, token, answer));
            default ->
                world.send(as, "DELETE", "/v1/leases/" + id, null, "Lease-Token", token)
                        .thenApply(answer -> new Asked(as, "return", holder, id, token, answer));
        };
    }

    private static void check(RevisionId revision, List<Asked> asked) {
        Map<UUID, List<Logged>> logged = new HashMap<>();
        log(revision)
                .forEach(entry -> logged.computeIfAbsent(entry.lease(), lease -> new ArrayList<>())
                        .add(entry));
        logged.values().forEach(ConcurrentLeasesIT::checkHistory);
        checkAcquired(logged, asked);
        for (Asked one : asked) {
            switch (one.command()) {
                case "acquire" -> checkRefusedAcquire(one);
                case "renew" -> checkRenew(logged.getOrDefault(one.lease(), List.of()), one);
                default -> checkReturn(logged.getOrDefault(one.lease(), List.of()), one);
            }
        }
        checkRows(revision, logged, asked);
    }

    /** Versions have no gaps, and nothing follows an end. */
    private static void checkHistory(List<Logged> history) {
        for (int i = 0; i < history.size(); i++) {
            assertThat(history.get(i).version()).isEqualTo(i + 1);
            assertThat(history.get(i).holder()).isEqualTo(history.getFirst().holder());
            if (history.get(i).kind().equals("returned")) {
                assertThat(i).isEqualTo(history.size() - 1);
            }
        }
    }

    /** Each token that was given out has exactly one entry, each entry its answer; the first of a lease is no reuse. */
    private static void checkAcquired(Map<UUID, List<Logged>> logged, List<Asked> asked) {
        List<String> answers = asked.stream()
                .filter(one -> one.command().equals("acquire") && one.succeeded())
                .map(one -> one.answer().as(AcquiredLease.class))
                .map(got -> got.lease().leaseId() + " " + Secret.hash(got.leaseToken()) + " " + got.reused())
                .toList();
        List<String> entries = logged.values().stream()
                .flatMap(List::stream)
                .filter(entry -> entry.kind().equals("granted"))
                .map(entry -> entry.lease() + " " + entry.tokenHash() + " " + (entry.version() > 1))
                .toList();
        assertThat(answers).containsExactlyInAnyOrderElementsOf(entries);
    }

    private static void checkRefusedAcquire(Asked one) {
        if (!one.succeeded()) {
            assertThat(one.answer().problem().code()).isEqualTo(ProblemCode.CONFLICT);
        }
    }

    private static void checkRenew(List<Logged> history, Asked one) {
        String hash = Secret.hash(one.token());
        if (one.succeeded()) {
            assertThat(one.answer().as(LeaseView.class).leaseId()).isEqualTo(one.lease());
            assertThat(history).anyMatch(entry -> entry.tokenHash().equals(hash));
            return;
        }
        explained(history, one, hash);
    }

    private static void checkReturn(List<Logged> history, Asked one) {
        if (one.succeeded()) {
            assertThat(history.getLast().kind()).isEqualTo("returned");
            return;
        }
        explained(history, one, Secret.hash(one.token()));
    }

    /** A refusal is explained by a newer token or by the lease's end. */
    private static void explained(List<Logged> history, Asked one, String hash) {
        long version = history.stream()
                .filter(entry -> entry.tokenHash().equals(hash))
                .mapToLong(Logged::version)
                .min()
                .orElseThrow();
        switch (one.answer().problem().code()) {
            case PERMISSION_DENIED ->
                assertThat(history)
                        .anyMatch(entry ->
                                entry.version() > version && entry.kind().equals("granted"));
            case NOT_FOUND -> {
                assertThat(one.command()).isEqualTo("renew");
                assertThat(history.getLast().kind()).isEqualTo("returned");
            }
            default -> throw new AssertionError(one.toString());
        }
    }

    /** The rows are the last grants that were not returned, as long as the longest answer about them. */
    private static void checkRows(RevisionId revision, Map<UUID, List<Logged>> logged, List<Asked> asked) {
        Map<UUID, Instant> longest = new HashMap<>();
        for (Asked one : asked) {
            if (one.succeeded() && !one.command().equals("return")) {
                LeaseView view = one.command().equals("acquire")
                        ? one.answer().as(AcquiredLease.class).lease()
                        : one.answer().as(LeaseView.class);
                longest.merge(view.leaseId(), view.expiresAt(), (a, b) -> a.isAfter(b) ? a : b);
            }
        }
        List<String> expected = logged.values().stream()
                .map(List::getLast)
                .filter(last -> last.kind().equals("granted"))
                .map(last -> last.lease() + " " + last.holder() + " " + last.version() + " " + last.tokenHash() + " "
                        + Objects.requireNonNull(longest.get(last.lease())).toEpochMilli())
                .toList();
        Stream<String> rows = LEDGER
                .rows(
                        "SELECT concat_ws(' ', lease_id, holder, lease_version, token_hash,"
                                + " (extract(epoch FROM expires_at) * 1000)::bigint) AS row"
                                + " FROM lease.revision_lease WHERE revision_id = ?",
                        revision.hex())
                .stream()
                .map(row -> String.valueOf(row.get("row")));
        assertThat(rows).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static List<Logged> log(RevisionId revision) {
        return LEDGER
                .rows(
                        "SELECT kind, entity_id, entity_version, subject, state->>'holder' AS holder,"
                                + " state->>'token_hash' AS hash FROM ledger.oplog"
                                + " WHERE entity = 'lease' AND revision_id = ? ORDER BY entity_id, entity_version",
                        revision.hex())
                .stream()
                .map(row -> new Logged(
                        Objects.equals(row.get("kind"), 13) ? "granted" : "returned",
                        UUID.fromString(String.valueOf(row.get("entity_id"))),
                        String.valueOf(row.get("holder")),
                        Long.parseLong(String.valueOf(row.get("entity_version"))),
                        String.valueOf(row.get("hash")),
                        String.valueOf(row.get("subject"))))
                .toList();
    }
}
