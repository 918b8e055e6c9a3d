package io.weighbridge.metadata.revision;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.metadata.revision.RunningService.Answer;
import io.weighbridge.wire.CommitImport;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/**
 * Goal: the interleavings of spec 1.6 that concern revisions. Method: real concurrent requests; where the order matters,
 * the test itself holds the revision's guard in a transaction of its own, as another service would.
 */
class RevisionRacesIT extends RevisionWorld {

    private static List<Answer> together(List<RunningService.Request> requests) {
        List<CompletableFuture<Answer>> sent =
                requests.stream().map(RunningService.Request::sendAsync).toList();
        return sent.stream().map(CompletableFuture::join).toList();
    }

    /** The guard as lease-service takes it, and a statement under it; the transaction stays open. */
    private static Connection underSharedGuard(RevisionIdentity identity) throws SQLException {
        Connection connection = LEDGER.superuser();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "SELECT pg_advisory_xact_lock_shared(" + identity.id().guardKey() + ")");
        }
        return connection;
    }

    private static void grant(Connection connection, RevisionIdentity identity, long generation) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("""
                    INSERT INTO lease.revision_lease (lease_id, revision_id, tenant_id, holder, token_hash, subject,
                                                      fenced_metadata_generation, lease_version, granted_at, expires_at)
                    VALUES (gen_random_uuid(), '%s', 'default', 'reader', 'x', 'reader', %d, 1, now(), now() + interval '1 hour')
                    """.formatted(identity.id().hex(), generation));
        }
    }

    /** Until so many sessions wait for an advisory lock. */
    private static void awaitWaiters(int wanted) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (System.nanoTime() < deadline) {
            long waiting = number("SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
            if (waiting >= wanted) {
                return;
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("nobody waits for the guard");
    }

    @RepeatedTest(5)
    void ofWritersWithOneFenceExactlyOneWins() {
        RevisionIdentity identity = ready(2);
        List<Answer> answers = together(Stream.of("COLD", "HOT", "COLD", "HOT")
                .map(target ->
                        service.post(path(identity) + "/residency").ifMatch(2).body(Map.of("target", target)))
                .toList());
        List<Answer> delete = together(List.of(
                service.delete(path(identity)).ifMatch(2),
                service.put(path(identity) + "/placement")
                        .ifMatch(2)
                        .body(Map.of("memory_replicas", 2, "cold_replicas", 0))));
        List<Answer> all = new ArrayList<>(answers);
        all.addAll(delete);
        assertThat(all.stream().filter(answer -> answer.status() == 202)).hasSize(1);
        assertThat(row(identity).get("metadata_generation")).isEqualTo(3L);
        assertThat(LEDGER.rows(
                        "SELECT 1 FROM metadata.operation WHERE revision_id = ?",
                        identity.id().hex()))
                .hasSize(1);
        assertThat(LEDGER.rows(
                        "SELECT 1 FROM ledger.oplog WHERE revision_id = ? AND entity_version = 3",
                        identity.id().hex()))
                .hasSize(1);
    }

    @RepeatedTest(5)
    void commitAndAbortExcludeEachOther() {
        RevisionIdentity identity = fresh();
        begun(identity, 2);
        arranged.members(identity, 2);
        List<Answer> answers = together(List.of(
                service.post(path(identity) + "/commit")
                        .ifMatch(1)
                        .body(new CommitImport(Arranged.reference(identity, 2))),
                service.post(path(identity) + "/abort").ifMatch(1)));
        assertThat(answers.stream().filter(answer -> answer.status() < 300)).hasSize(1);
        assertThat(row(identity).get("metadata_generation")).isEqualTo(2L);
        assertThat(row(identity).get("availability"))
                .isEqualTo(answers.getFirst().status() == 200 ? "READY" : "DELETING");
    }

    @Test
    void aLeaseGrantedFirstKeepsEvictionAndDeleteAway() throws SQLException {
        RevisionIdentity identity = ready(2);
        try (Connection reader = underSharedGuard(identity)) {
            grant(reader, identity, 2);
            CompletableFuture<Answer> eviction = service.post(path(identity) + "/residency")
                    .ifMatch(2)
                    .body(Map.of("target", "COLD"))
                    .sendAsync();
            CompletableFuture<Answer> delete = service.delete(path(identity) + "?wait_for_leases=false")
                    .ifMatch(2)
                    .sendAsync();
            awaitWaiters(2);
            reader.commit();
            assertThat(eviction.join().code()).isEqualTo("BUSY");
            assertThat(delete.join().code()).isEqualTo("BUSY");
        }
        assertThat(row(identity)).containsEntry("availability", "READY").containsEntry("metadata_generation", 2L);
        LEDGER.sql("UPDATE lease.revision_lease SET expires_at = clock_timestamp()");
        Answer evicting = service.post(path(identity) + "/residency")
                .ifMatch(2)
                .body(Map.of("target", "COLD"))
                .send();
        assertThat(evicting.status()).as("expiry alone unblocks").isEqualTo(202);
    }

    @Test
    void anExtraMemberBeforeTheCommitIsSeenByIt() throws SQLException {
        RevisionIdentity identity = fresh();
        begun(identity, 2);
        arranged.members(identity, 2);
        try (Connection writer = underSharedGuard(identity)) {
            CompletableFuture<Answer> commit = service.post(path(identity) + "/commit")
                    .ifMatch(1)
                    .body(new CommitImport(Arranged.reference(identity, 2)))
                    .sendAsync();
            awaitWaiters(1);
            arranged.payload(identity, "extra-" + identity.revision());
            writer.commit();
            assertThat(commit.join().code()).isEqualTo("CONFLICT");
        }
        assertThat(row(identity)).containsEntry("availability", "IMPORTING").containsEntry("metadata_generation", 1L);
    }

    @Test
    void whoeverHoldsTheGuardTooLongMakesOthersBusy() throws SQLException {
        RevisionIdentity identity = ready(1);
        try (Connection holder = underSharedGuard(identity)) {
            Answer answer = service.delete(path(identity)).ifMatch(2).send();
            assertThat(answer.status()).as("%s", answer).isEqualTo(423);
            assertThat(answer.code()).isEqualTo("BUSY");
            holder.rollback();
        }
        assertThat(row(identity)).containsEntry("availability", "READY").containsEntry("metadata_generation", 2L);
    }

    @Test
    void aKilledConnectionLeavesNothingHalfDone() throws SQLException {
        RevisionIdentity identity = ready(1);
        try (Connection holder = underSharedGuard(identity)) {
            CompletableFuture<Answer> delete =
                    service.delete(path(identity)).ifMatch(2).sendAsync();
            awaitWaiters(1);
            LEDGER.rows("""
                    SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                    """);
            Answer answer = delete.join();
            assertThat(answer.status()).as("%s", answer).isEqualTo(503);
            assertThat(answer.code()).isEqualTo("UNAVAILABLE");
            holder.rollback();
        }
        assertThat(row(identity)).containsEntry("availability", "READY").containsEntry("metadata_generation", 2L);
        assertThat(service.delete(path(identity)).ifMatch(2).send().status()).isEqualTo(202);
    }

    @Test
    void twinsUnderOneKeyTakeEffectOnce() {
        RevisionIdentity identity = ready(2);
        List<RunningService.Request> twins = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            twins.add(service.post(path(identity) + "/residency")
                    .ifMatch(2)
                    .header("Idempotency-Key", "twin-" + identity.revision())
                    .body(Map.of("target", "COLD")));
        }
        List<Answer> answers = together(twins);
        assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isIn(200, 202, 423));
        assertThat(answers.stream().filter(answer -> answer.status() == 202)).hasSize(1);
        assertThat(LEDGER.rows(
                        "SELECT 1 FROM metadata.operation WHERE revision_id = ?",
                        identity.id().hex()))
                .hasSize(1);
    }

    @Test
    void aLongPollIsWokenByTheChange() {
        RevisionIdentity identity = ready(1);
        String operation = service.post(path(identity) + "/residency")
                .ifMatch(2)
                .body(Map.of("target", "COLD"))
                .send()
                .body()
                .path("operation_id")
                .asString();
        CompletableFuture<Answer> poll =
                service.get("/v1/operations/" + operation + "?wait_ms=30000").sendAsync();
        CompletableFuture<Answer> other = service.get(path(identity) + "?wait_ms=30000")
                .header("If-None-Match", "\"3\"")
                .sendAsync();
        long begun = System.nanoTime();
        assertThat(service.post("/v1/operations/" + operation + "/cancel")
                        .send()
                        .status())
                .isEqualTo(200);
        assertThat(poll.join().body().path("active").asBoolean()).isFalse();
        assertThat(other.join().body().path("metadata_generation").asLong()).isEqualTo(4);
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun)).isLessThan(10);
        Answer quick =
                service.get("/v1/operations/" + operation + "?wait_ms=30000").send();
        assertThat(quick.status()).isEqualTo(200);
    }
}
