package io.weighbridge.lease.revisionlease;

import static io.weighbridge.lease.LeaseWorld.As.ADMIN;
import static io.weighbridge.lease.LeaseWorld.As.AGENT;
import static io.weighbridge.lease.LeaseWorld.As.ALICE;
import static io.weighbridge.lease.LeaseWorld.As.BOB;
import static io.weighbridge.lease.LeaseWorld.As.LOCAL;
import static io.weighbridge.lease.LeaseWorld.As.NOBODY;
import static io.weighbridge.lease.LeaseWorld.As.SERVICE;
import static io.weighbridge.lease.LeaseWorld.As.STRANGER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.weighbridge.lease.LeaseWorld;
import io.weighbridge.lease.LeaseWorld.Answer;
import io.weighbridge.lease.revisionlease.application.LeaseSweep;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.token.Secret;
import io.weighbridge.testkit.TestLedger;
import io.weighbridge.wire.AcquireLeases;
import io.weighbridge.wire.AcquiredLease;
import io.weighbridge.wire.LeasePage;
import io.weighbridge.wire.LeaseResults;
import io.weighbridge.wire.LeaseView;
import io.weighbridge.wire.RenewLeases;
import io.weighbridge.wire.ReturnLeases;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Revision leases over HTTP on a real ledger. */
@ExtendWith(OutputCaptureExtension.class)
class RevisionLeaseIT {

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

    @Test
    void aLeaseIsAcquiredRenewedListedAndReleased() {
        RevisionId revision = world.revision();
        Answer answer = world.acquire(ALICE, revision, "rank-0", 60_000, "\"2\"");
        assertThat(answer.status()).isEqualTo(201);
        AcquiredLease acquired = answer.as(AcquiredLease.class);
        assertThat(acquired.reused()).isFalse();
        assertThat(acquired.lease().revisionId()).isEqualTo(revision.hex());
        assertThat(acquired.lease().holder()).isEqualTo("rank-0");
        assertThat(acquired.lease().fencedMetadataGeneration()).isEqualTo(2);
        assertThat(acquired.lease().expiresAt())
                .isCloseTo(Instant.now().plusSeconds(60), within(20, ChronoUnit.SECONDS));
        assertThat(acquired.revision().revisionId()).isEqualTo(revision.hex());
        assertThat(acquired.revision().metadataGeneration()).isEqualTo(2);
        assertThat(acquired.revision().labels()).isEqualTo(Map.of("step", "1"));
        assertThat(acquired.revision().manifest()).isNotNull();
        assertThat(acquired.revision().placement().nodes()).isNull();

        UUID lease = acquired.lease().leaseId();
        Answer renewed = world.renew(ALICE, lease, acquired.leaseToken(), 3_600_000);
        assertThat(renewed.status()).isEqualTo(200);
        assertThat(renewed.as(LeaseView.class).expiresAt())
                .isCloseTo(Instant.now().plusSeconds(3600), within(20, ChronoUnit.SECONDS));
        Answer notShorter = world.renew(ALICE, lease, acquired.leaseToken(), 1);
        assertThat(notShorter.as(LeaseView.class).expiresAt())
                .isEqualTo(renewed.as(LeaseView.class).expiresAt());

        LeasePage page = world.get(BOB, "/v1/revisions/" + revision + "/leases").as(LeasePage.class);
        assertThat(page.leases()).containsExactly(notShorter.as(LeaseView.class));
        assertThat(page.nextPageToken()).isNull();

        assertThat(world.release(ALICE, lease, acquired.leaseToken()).status()).isEqualTo(204);
        assertThat(world.release(ALICE, lease, acquired.leaseToken()).status()).isEqualTo(204);
        assertThat(rowsOf(revision)).isEmpty();
        assertThat(world.get(BOB, "/v1/revisions/" + revision + "/leases")
                        .as(LeasePage.class)
                        .leases())
                .isEmpty();
        assertThat(entriesOf(lease)).containsExactly("LeaseGranted 1 alice", "LeaseReturned 2 alice");
    }

    @Test
    void theSameHolderGetsTheSameLeaseWithAFreshToken() {
        RevisionId revision = world.revision();
        AcquiredLease first = world.acquired(ALICE, revision, "rank-0", 3_600_000);
        Answer again = world.acquire(ALICE, revision, "rank-0", 1_000, "\"2\"");
        assertThat(again.status()).isEqualTo(200);
        AcquiredLease second = again.as(AcquiredLease.class);
        assertThat(second.reused()).isTrue();
        assertThat(second.lease()).isEqualTo(first.lease());
        assertThat(second.leaseToken()).isNotEqualTo(first.leaseToken());
        refused(world.renew(ALICE, first.lease().leaseId(), first.leaseToken(), 1_000), ProblemCode.PERMISSION_DENIED);
        assertThat(world.renew(ALICE, first.lease().leaseId(), second.leaseToken(), 1_000)
                        .status())
                .isEqualTo(200);
        refused(world.acquire(BOB, revision, "rank-0", 1_000, "*"), ProblemCode.CONFLICT);
        assertThat(rowsOf(revision))
                .singleElement()
                .satisfies(row -> assertThat(row.get("token_hash")).isEqualTo(Secret.hash(second.leaseToken())));
        assertThat(entriesOf(first.lease().leaseId())).containsExactly("LeaseGranted 1 alice", "LeaseGranted 2 alice");
    }

    @Test
    void anExpiredLeaseAnswersSoAndIsReplacedByANewOne() {
        RevisionId revision = world.revision();
        AcquiredLease first = world.acquired(ALICE, revision, "rank-0", 60_000);
        expire(first.lease().leaseId());
        refused(world.renew(ALICE, first.lease().leaseId(), first.leaseToken(), 1_000), ProblemCode.LEASE_EXPIRED);
        assertThat(world.get(ALICE, "/v1/revisions/" + revision + "/leases")
                        .as(LeasePage.class)
                        .leases())
                .isEmpty();
        AcquiredLease second = world.acquired(BOB, revision, "rank-0", 60_000);
        assertThat(second.reused()).isFalse();
        assertThat(second.lease().leaseId()).isNotEqualTo(first.lease().leaseId());
        refused(world.renew(ALICE, first.lease().leaseId(), first.leaseToken(), 1_000), ProblemCode.NOT_FOUND);
        assertThat(rowsOf(revision)).hasSize(1);
        assertThat(entriesOf(first.lease().leaseId())).containsExactly("LeaseGranted 1 alice", "LeaseReturned 2 bob");
        assertThat(entriesOf(second.lease().leaseId())).containsExactly("LeaseGranted 1 bob");
    }

    @Test
    void refusalsComeInTheOrderOfTheSpecAndChangeNothing() {
        RevisionId revision = world.revision();
        assertThat(world.post(ALICE, "/v1/revisions/" + revision + "/leases", "{\"holder\":\"a\",\"ttl_ms\":1}")
                        .problem()
                        .code())
                .isEqualTo(ProblemCode.PRECONDITION_REQUIRED);
        for (long ttl : List.of(0L, -1L, 86_400_001L)) {
            refused(world.acquire(ALICE, revision, "rank-0", ttl, "\"9\""), ProblemCode.INVALID_ARGUMENT);
        }
        refused(world.acquire(ALICE, revision, "", 1_000, "\"9\""), ProblemCode.INVALID_ARGUMENT);
        refused(world.acquire(ALICE, new RevisionId("0".repeat(64)), "rank-0", 1_000, "*"), ProblemCode.NOT_FOUND);
        refused(world.acquire(STRANGER, revision, "rank-0", 1_000, "*"), ProblemCode.NOT_FOUND);
        Answer stale = world.acquire(ALICE, revision, "rank-0", 1_000, "\"1\"");
        refused(stale, ProblemCode.STALE_GENERATION);
        assertThat(stale.status()).isEqualTo(412);
        assertThat(stale.problem().currentGeneration()).isEqualTo(2);
        refused(world.acquire(ALICE, world.revision("acme", "IMPORTING"), "rank-0", 1_000, "*"), ProblemCode.NOT_READY);
        refused(world.acquire(ALICE, world.revision("acme", "DELETING"), "a", 1_000, "\"2\""), ProblemCode.NOT_READY);
        RevisionId evicting = world.revision();
        evict(evicting);
        refused(world.acquire(ALICE, evicting, "rank-0", 1_000, "*"), ProblemCode.BUSY);
        refused(world.acquire(NOBODY, revision, "rank-0", 1_000, "*"), ProblemCode.PERMISSION_DENIED);
        refused(world.acquire(AGENT, revision, "rank-0", 1_000, "*"), ProblemCode.PERMISSION_DENIED);
        refused(world.acquire(LOCAL, revision, "rank-0", 1_000, "*"), ProblemCode.NOT_FOUND);
        assertThat(rowsOf(revision)).isEmpty();
        assertThat(rowsOf(evicting)).isEmpty();
    }

    @Test
    void renewingIsRefusedWithoutTheTokenAndAfterTheDrain() {
        RevisionId revision = world.revision();
        AcquiredLease lease = world.acquired(ALICE, revision, "rank-0", 60_000);
        UUID id = lease.lease().leaseId();
        refused(world.renew(ALICE, UUID.randomUUID(), lease.leaseToken(), 1_000), ProblemCode.NOT_FOUND);
        refused(world.renew(STRANGER, id, lease.leaseToken(), 1_000), ProblemCode.NOT_FOUND);
        refused(world.renew(ALICE, id, "nonsense", 1_000), ProblemCode.PERMISSION_DENIED);
        refused(world.renew(ALICE, id, lease.leaseToken(), 0), ProblemCode.INVALID_ARGUMENT);
        assertThat(world.post(ALICE, "/v1/leases/" + id + "/renew", "{\"ttl_ms\":1}")
                        .problem()
                        .code())
                .isEqualTo(ProblemCode.INVALID_ARGUMENT);
        sql(
                "UPDATE metadata.revision SET availability = 'DEGRADED', metadata_generation = 3 WHERE revision_id = ?",
                revision);
        assertThat(world.renew(ALICE, id, lease.leaseToken(), 61_000).status()).isEqualTo(200);
        sql(
                "UPDATE metadata.revision SET availability = 'DELETING', drain_deadline = now() + interval '1 hour',"
                        + " metadata_generation = 4 WHERE revision_id = ?",
                revision);
        assertThat(world.renew(ALICE, id, lease.leaseToken(), 62_000).status()).isEqualTo(200);
        sql("UPDATE metadata.revision SET drain_deadline = now() WHERE revision_id = ?", revision);
        Object expires = rowsOf(revision).getFirst().get("expires_at");
        refused(world.renew(ALICE, id, lease.leaseToken(), 63_000), ProblemCode.NOT_READY);
        assertThat(rowsOf(revision).getFirst().get("expires_at")).isEqualTo(expires);
    }

    @Test
    void onlyTheHolderOrAnAdministratorEndsALease() {
        RevisionId revision = world.revision();
        AcquiredLease lease = world.acquired(ALICE, revision, "rank-0", 60_000);
        UUID id = lease.lease().leaseId();
        refused(world.release(STRANGER, id, lease.leaseToken()), ProblemCode.NOT_FOUND);
        refused(world.release(BOB, id, "nonsense"), ProblemCode.PERMISSION_DENIED);
        refused(world.release(ALICE, id, null), ProblemCode.PERMISSION_DENIED);
        assertThat(world.release(STRANGER, UUID.randomUUID(), null).status()).isEqualTo(204);
        assertThat(rowsOf(revision)).hasSize(1);
        assertThat(world.release(ADMIN, id, null).status()).isEqualTo(204);
        assertThat(rowsOf(revision)).isEmpty();
        assertThat(LEDGER.rows(
                        "SELECT subject, state->>'returned' AS returned FROM ledger.oplog"
                                + " WHERE entity_id = ? ORDER BY entity_version DESC LIMIT 1",
                        id.toString()))
                .containsExactly(Map.of("subject", "admin", "returned", "ADMINISTRATOR"));
        AcquiredLease another = world.acquired(ALICE, revision, "rank-0", 60_000);
        assertThat(world.release(SERVICE, another.lease().leaseId(), null).status())
                .isEqualTo(204);
    }

    @Test
    void leasesAreListedInPagesWithinTheTenant() {
        RevisionId revision = world.revision();
        List<String> holders = List.of("Z", "a", "b c", "é", "生");
        holders.forEach(holder -> world.acquired(ALICE, revision, holder, 60_000));
        List<String> listed = new ArrayList<>();
        String token = "";
        do {
            LeasePage page = world.get(ALICE, "/v1/revisions/" + revision + "/leases?page_size=2&page_token=" + token)
                    .as(LeasePage.class);
            page.leases().forEach(lease -> listed.add(lease.holder()));
            token = page.nextPageToken() == null ? "" : page.nextPageToken();
        } while (!token.isEmpty());
        assertThat(listed).isEqualTo(holders);
        refused(world.get(STRANGER, "/v1/revisions/" + revision + "/leases"), ProblemCode.NOT_FOUND);
        refused(
                world.get(ALICE, "/v1/revisions/" + world.revision() + "/leases?page_token=nonsense"),
                ProblemCode.INVALID_ARGUMENT);
        assertThat(world.get(SERVICE, "/v1/revisions/" + revision + "/leases")
                        .as(LeasePage.class)
                        .leases())
                .hasSize(5);
    }

    @Test
    void aBatchAnswersEveryItemInItsPlace() {
        RevisionId revision = world.revision();
        RevisionId importing = world.revision("acme", "IMPORTING");
        RevisionId foreign = world.revision("globex", "READY");
        List<AcquireLeases.Item> items = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            String holder = "rank-" + i;
            items.add(
                    switch (i % 10) {
                        case 1 -> new AcquireLeases.Item(revision.hex(), 1L, holder, 60_000);
                        case 2 -> new AcquireLeases.Item(importing.hex(), null, holder, 60_000);
                        case 3 -> new AcquireLeases.Item(foreign.hex(), null, holder, 60_000);
                        case 4 -> new AcquireLeases.Item("nonsense", null, holder, 60_000);
                        case 5 -> new AcquireLeases.Item(revision.hex(), 2L, holder, 0);
                        // The holder before, again.
                        case 7 -> new AcquireLeases.Item(revision.hex(), 2L, "rank-" + (i - 1), 120_000);
                        default -> new AcquireLeases.Item(revision.hex(), 2L, holder, 60_000);
                    });
        }
        LeaseResults results = world.post(ALICE, "/v1/leases/acquire", new AcquireLeases(items))
                .as(LeaseResults.class);
        assertThat(results.items()).hasSize(1000);
        for (int i = 0; i < 1000; i++) {
            LeaseResults.Item item = results.items().get(i);
            int status = switch (i % 10) {
                case 1 -> 412;
                case 2 -> 409;
                case 3 -> 404;
                case 4, 5 -> 400;
                case 7 -> 200;
                default -> 201;
            };
            assertThat(item.status()).as("item %s", i).isEqualTo(status);
            assertThat(item.code() == null).isEqualTo(status < 300);
            assertThat(item.lease() != null && item.leaseToken() != null).isEqualTo(status < 300);
        }
        assertThat(rowsOf(revision)).hasSize(400);
        assertThat(rowsOf(importing)).isEmpty();
        assertThat(rowsOf(foreign)).isEmpty();

        List<RenewLeases.Item> renewals = new ArrayList<>();
        List<ReturnLeases.Item> returns = new ArrayList<>();
        for (int i = 0; i < 1000; i += 10) {
            LeaseView lease = Objects.requireNonNull(results.items().get(i).lease());
            String token = Objects.requireNonNull(results.items().get(i).leaseToken());
            renewals.add(new RenewLeases.Item(lease.leaseId(), token, 90_000));
            renewals.add(new RenewLeases.Item(lease.leaseId(), "wrong", 90_000));
            renewals.add(new RenewLeases.Item(UUID.randomUUID(), token, 90_000));
            returns.add(new ReturnLeases.Item(lease.leaseId(), "wrong"));
            returns.add(new ReturnLeases.Item(lease.leaseId(), token));
            returns.add(new ReturnLeases.Item(lease.leaseId(), token));
        }
        LeaseResults renewed =
                world.post(ALICE, "/v1/leases/renew", new RenewLeases(renewals)).as(LeaseResults.class);
        LeaseResults returned = world.post(ALICE, "/v1/leases/release", new ReturnLeases(returns))
                .as(LeaseResults.class);
        for (int i = 0; i < renewals.size(); i++) {
            assertThat(renewed.items().get(i).status())
                    .isEqualTo(List.of(200, 403, 404).get(i % 3));
            assertThat(returned.items().get(i).status())
                    .isEqualTo(List.of(403, 204, 204).get(i % 3));
        }
        assertThat(rowsOf(revision)).hasSize(300);
        refused(world.post(ALICE, "/v1/leases/acquire", new AcquireLeases(List.of())), ProblemCode.INVALID_ARGUMENT);
        refused(
                world.post(
                        ALICE,
                        "/v1/leases/release",
                        new ReturnLeases(Collections.nCopies(1001, new ReturnLeases.Item(UUID.randomUUID(), "t")))),
                ProblemCode.INVALID_ARGUMENT);
    }

    @Test
    void aCallerThatGoesAwayCancelsNothing() throws IOException {
        RevisionId revision = world.revision();
        List<AcquireLeases.Item> items = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            items.add(new AcquireLeases.Item(revision.hex(), null, "rank-" + i, 60_000));
        }
        byte[] body =
                LeaseWorld.JSON.writeValueAsString(new AcquireLeases(items)).getBytes(StandardCharsets.UTF_8);
        try (Socket socket = new Socket("127.0.0.1", world.port())) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST /v1/leases/acquire HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            + "Authorization: Bearer " + ALICE.token() + "\r\nContent-Length: " + body.length
                            + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.write(body);
            out.flush();
            LeaseWorld.await("the first chunk", () -> !rowsOf(revision).isEmpty());
        }
        LeaseWorld.await("all leases", () -> rowsOf(revision).size() == 1000);
    }

    @Test
    void rowsAreSweptADayAfterTheirExpiry() {
        RevisionId revision = world.revision();
        AcquiredLease old = world.acquired(ALICE, revision, "old", 60_000);
        AcquiredLease recent = world.acquired(ALICE, revision, "recent", 60_000);
        LEDGER.sql(
                "UPDATE lease.revision_lease SET expires_at = now() - interval '24 hours 1 second' WHERE lease_id = ?",
                old.lease().leaseId());
        LEDGER.sql(
                "UPDATE lease.revision_lease SET expires_at = now() - interval '23 hours' WHERE lease_id = ?",
                recent.lease().leaseId());
        assertThat(world.bean(LeaseSweep.class).sweep().block(Duration.ofSeconds(10)))
                .isEqualTo(1);
        assertThat(rowsOf(revision))
                .singleElement()
                .satisfies(row -> assertThat(row.get("holder")).isEqualTo("recent"));
        assertThat(entriesOf(old.lease().leaseId()))
                .containsExactly("LeaseGranted 1 alice", "LeaseReturned 2 service/lease");
        refused(world.renew(ALICE, old.lease().leaseId(), old.leaseToken(), 1_000), ProblemCode.NOT_FOUND);
        refused(world.renew(ALICE, recent.lease().leaseId(), recent.leaseToken(), 1_000), ProblemCode.LEASE_EXPIRED);
    }

    @Test
    void tokensAreInNoLogAndNoEntry(CapturedOutput output) {
        RevisionId revision = world.revision();
        List<String> tokens = new ArrayList<>();
        AcquiredLease lease = world.acquired(ALICE, revision, "rank-0", 60_000);
        tokens.add(lease.leaseToken());
        lease = world.acquired(ALICE, revision, "rank-0", 60_000);
        tokens.add(lease.leaseToken());
        world.renew(BOB, lease.lease().leaseId(), lease.leaseToken(), 0);
        world.renew(BOB, lease.lease().leaseId(), tokens.getFirst(), 1_000);
        world.post(
                ALICE,
                "/v1/leases/renew",
                new RenewLeases(List.of(new RenewLeases.Item(lease.lease().leaseId(), lease.leaseToken(), -1))));
        world.release(ALICE, lease.lease().leaseId(), lease.leaseToken());
        String entries = LEDGER.rows("SELECT string_agg(o::text, ' ') AS all FROM ledger.oplog o")
                .getFirst()
                .toString();
        for (String token : tokens) {
            assertThat(output.getAll()).doesNotContain(token);
            assertThat(entries).doesNotContain(token).contains(Secret.hash(token));
        }
    }

    private static void refused(Answer answer, ProblemCode code) {
        assertThat(answer.problem().code()).as(answer.body()).isEqualTo(code);
        assertThat(answer.contentType()).startsWith("application/problem+json");
    }

    private static void expire(UUID lease) {
        LEDGER.sql(
                "UPDATE lease.revision_lease SET expires_at = date_trunc('milliseconds', clock_timestamp())"
                        + " WHERE lease_id = ?",
                lease);
    }

    private static void evict(RevisionId revision) {
        sql(
                "UPDATE metadata.revision SET operation = 'EVICTING', operation_id = gen_random_uuid(),"
                        + " metadata_generation = metadata_generation + 1 WHERE revision_id = ?",
                revision);
    }

    private static void sql(String sql, RevisionId revision) {
        assertThat(LEDGER.sql(sql, revision.hex())).isEqualTo(1);
    }

    private static List<Map<String, Object>> rowsOf(RevisionId revision) {
        return List.copyOf(LEDGER.rows("SELECT * FROM lease.revision_lease WHERE revision_id = ?", revision.hex()));
    }

    private static List<String> entriesOf(UUID lease) {
        return LEDGER
                .rows(
                        "SELECT kind, entity_version, subject FROM ledger.oplog WHERE entity = 'lease' AND entity_id = ?"
                                + " ORDER BY entity_version",
                        lease.toString())
                .stream()
                .map(row -> (Objects.equals(row.get("kind"), 13) ? "LeaseGranted " : "LeaseReturned ")
                        + row.get("entity_version") + " " + row.get("subject"))
                .toList();
    }
}
