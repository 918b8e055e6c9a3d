package io.weighbridge.lease.revisionlease;

import static io.weighbridge.lease.LeaseWorld.As.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.lease.LeaseWorld;
import io.weighbridge.lease.LeaseWorld.Answer;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.Writer;
import io.weighbridge.testkit.TestLedger;
import io.weighbridge.wire.AcquireLeases;
import io.weighbridge.wire.AcquiredLease;
import io.weighbridge.wire.LeaseResults;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** Interleavings that must hold (spec 1.6), with real concurrent transactions of metadata-service's login. */
class LeaseInterleavingIT {

    @RegisterExtension
    static final TestLedger LEDGER = TestLedger.perClass();

    private static LeaseWorld world;
    private static Ledger metadata;

    @BeforeAll
    static void start(@TempDir Path files) {
        // Long enough that who stalls behind a held guard is seen on a slow machine, too.
        world = LeaseWorld.start(
                LEDGER, files, "weighbridge.ledger.lock-timeout=20s", "weighbridge.ledger.transaction-timeout=25s");
        metadata = LEDGER.ledger(Writer.METADATA);
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    @Test
    void aLeaseThatIsBeingGrantedMakesAnEvictionBusy() throws SQLException {
        RevisionId revision = world.revision();
        CompletableFuture<Answer> acquiring;
        CompletableFuture<String> evicting;
        // The grant holds its guard and cannot write yet.
        try (Connection blocker = LEDGER.superuser();
                Statement statement = blocker.createStatement()) {
            blocker.setAutoCommit(false);
            statement.execute("LOCK TABLE lease.revision_lease IN SHARE MODE");
            acquiring = world.acquiring(ALICE, revision, "rank-0", 60_000, "*");
            LeaseWorld.await("the grant holds its guard", () -> guards(revision, "ShareLock", true) == 1);
            evicting = evict(revision);
            LeaseWorld.await("the eviction waits", () -> guards(revision, "ExclusiveLock", false) == 1);
            blocker.rollback();
        }
        assertThat(acquiring.join().status()).isEqualTo(201);
        assertThat(evicting.join()).isEqualTo("BUSY");
        assertThat(revisionRow(revision)).isEqualTo("READY NONE 2");
        assertThat(delete(revision, false).join()).isEqualTo("BUSY");
        assertThat(revisionRow(revision)).isEqualTo("READY NONE 2");
    }

    @Test
    void aGrantAfterADeleteThatIsBeingMadeIsRefused() throws SQLException {
        RevisionId revision = world.revision();
        CompletableFuture<Answer> current;
        CompletableFuture<Answer> any;
        CompletableFuture<Answer> batch;
        try (Connection deleting = LEDGER.superuser();
                Statement statement = deleting.createStatement()) {
            deleting.setAutoCommit(false);
            statement.execute("SELECT pg_advisory_xact_lock(" + revision.guardKey() + ")");
            statement.execute("UPDATE metadata.revision SET availability = 'DELETING', metadata_generation = 3,"
                    + " drain_deadline = now() WHERE revision_id = '" + revision + "'");
            current = world.acquiring(ALICE, revision, "rank-0", 60_000, "\"2\"");
            any = world.acquiring(ALICE, revision, "rank-1", 60_000, "*");
            batch = world.send(
                    ALICE,
                    "POST",
                    "/v1/leases/acquire",
                    new AcquireLeases(List.of(new AcquireLeases.Item(revision.hex(), 2L, "rank-2", 60_000))));
            LeaseWorld.await("grants wait", () -> guards(revision, "ShareLock", false) >= 2);
            assertThat(current).isNotDone();
            deleting.commit();
        }
        assertThat(current.join().problem().code()).isEqualTo(ProblemCode.STALE_GENERATION);
        assertThat(any.join().problem().code()).isEqualTo(ProblemCode.NOT_READY);
        assertThat(batch.join().as(LeaseResults.class).items().getFirst().code())
                .isEqualTo(ProblemCode.STALE_GENERATION);
        assertThat(leases(revision)).isZero();
    }

    @Test
    void expiryAloneUnblocks() {
        RevisionId revision = world.revision();
        AcquiredLease lease = world.acquired(ALICE, revision, "rank-0", 60_000);
        assertThat(evict(revision).join()).isEqualTo("BUSY");
        LEDGER.sql(
                "UPDATE lease.revision_lease SET expires_at = clock_timestamp() + interval '300 ms' WHERE lease_id = ?",
                lease.lease().leaseId());
        LeaseWorld.await("the lease's expiry", () -> evict(revision).join().equals("EVICTING"));
        assertThat(leases(revision)).as("nothing was swept").isEqualTo(1);
        assertThat(world.renew(ALICE, lease.lease().leaseId(), lease.leaseToken(), 60_000)
                        .problem()
                        .code())
                .isEqualTo(ProblemCode.LEASE_EXPIRED);
        assertThat(world.acquire(ALICE, revision, "rank-0", 60_000, "*")
                        .problem()
                        .code())
                .isEqualTo(ProblemCode.BUSY);
    }

    @Test
    void oneHeldGuardStallsNobodyElse() throws Exception {
        RevisionId slow = world.revision();
        AcquiredLease leased = world.acquired(ALICE, slow, "rank-0", 60_000);
        List<CompletableFuture<Answer>> waiting = new ArrayList<>();
        try (Connection holder = LEDGER.superuser();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("SELECT pg_advisory_xact_lock(" + slow.guardKey() + ")");
            for (int i = 0; i < 10; i++) {
                waiting.add(world.acquiring(ALICE, slow, "waits-" + i, 60_000, "*"));
                waiting.add(world.send(
                        ALICE,
                        "POST",
                        "/v1/leases/" + leased.lease().leaseId() + "/renew",
                        "{\"ttl_ms\":1}",
                        "Lease-Token",
                        leased.leaseToken()));
            }
            LeaseWorld.await("some wait", () -> guards(slow, "ShareLock", false) >= 2);
            for (int i = 0; i < 20; i++) {
                assertThat(world.acquiring(ALICE, world.revision(), "rank-0", 60_000, "*")
                                .get(10, TimeUnit.SECONDS)
                                .status())
                        .isEqualTo(201);
            }
            assertThat(guards(slow, "ShareLock", false))
                    .as("waiters take less than half of the connections")
                    .isLessThanOrEqualTo(4);
            holder.rollback();
        }
        for (CompletableFuture<Answer> answer : waiting) {
            assertThat(answer.join().status()).as(answer.join().body()).isIn(200, 201, 423);
        }
    }

    /** Whatever the order, not both: a grant and an eviction that did not see it. */
    @RepeatedTest(20)
    void aGrantAndAnEvictionNeverBothSucceed() {
        RevisionId revision = world.revision();
        CompletableFuture<String> evicting = evict(revision);
        Answer acquired = world.acquire(ALICE, revision, "rank-0", 60_000, "*");
        String evicted = evicting.join();
        if (acquired.status() == 201) {
            assertThat(evicted).isEqualTo("BUSY");
            assertThat(revisionRow(revision)).isEqualTo("READY NONE 2");
        } else {
            assertThat(acquired.problem().code()).isEqualTo(ProblemCode.BUSY);
            assertThat(evicted).isEqualTo("EVICTING");
            assertThat(leases(revision)).isZero();
        }
    }

    /** What metadata-service does to start an eviction. */
    private static CompletableFuture<String> evict(RevisionId revision) {
        return unlessLeased(
                revision,
                "UPDATE metadata.revision SET operation = 'EVICTING', operation_id = gen_random_uuid(),"
                        + " metadata_generation = metadata_generation + 1 WHERE revision_id = :revision",
                "EVICTING");
    }

    private static CompletableFuture<String> delete(RevisionId revision, boolean waitForLeases) {
        assertThat(waitForLeases).isFalse();
        return unlessLeased(
                revision,
                "UPDATE metadata.revision SET availability = 'DELETING',"
                        + " metadata_generation = metadata_generation + 1 WHERE revision_id = :revision",
                "DELETING");
    }

    private static CompletableFuture<String> unlessLeased(RevisionId revision, String update, String done) {
        return metadata.transact(
                        Guards.exclusive(revision),
                        tx -> tx.sql("SELECT count(*) AS live FROM lease.revision_lease_v1 l"
                                        + " JOIN metadata.revision_v1 r USING (revision_id)"
                                        + " WHERE l.revision_id = :revision AND l.expires_at > :now"
                                        + " AND l.fenced_metadata_generation <= r.metadata_generation")
                                .bind("revision", revision.hex())
                                .bind("now", tx.now())
                                .map(row -> row.get("live", Long.class))
                                .one()
                                .flatMap(live -> live > 0
                                        ? Mono.just("BUSY")
                                        : tx.sql(update)
                                                .bind("revision", revision.hex())
                                                .fetch()
                                                .rowsUpdated()
                                                .thenReturn(done)))
                .timeout(Duration.ofSeconds(10))
                .toFuture();
    }

    private static long guards(RevisionId revision, String mode, boolean granted) {
        return LEDGER.rows(
                        "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND mode = ? AND granted = ?"
                                + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
                                + " AND (classid::bigint << 32 | objid::bigint) = ?",
                        mode,
                        granted,
                        revision.guardKey())
                .size();
    }

    private static int leases(RevisionId revision) {
        return LEDGER.rows("SELECT 1 FROM lease.revision_lease WHERE revision_id = ?", revision.hex())
                .size();
    }

    private static String revisionRow(RevisionId revision) {
        Map<String, ?> row = LEDGER.rows(
                        "SELECT availability || ' ' || operation || ' ' || metadata_generation AS row"
                                + " FROM metadata.revision WHERE revision_id = ?",
                        revision.hex())
                .getFirst();
        return String.valueOf(row.get("row"));
    }
}
