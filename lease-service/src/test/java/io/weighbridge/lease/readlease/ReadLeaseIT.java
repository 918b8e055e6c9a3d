package io.weighbridge.lease.readlease;

import static io.weighbridge.lease.LeaseWorld.As.AGENT;
import static io.weighbridge.lease.LeaseWorld.As.ALICE;
import static io.weighbridge.lease.LeaseWorld.As.NOBODY;
import static io.weighbridge.lease.LeaseWorld.As.SERVICE;
import static io.weighbridge.lease.LeaseWorld.As.STRANGER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.lease.LeaseWorld;
import io.weighbridge.lease.LeaseWorld.Answer;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.token.NodeKey;
import io.weighbridge.ledger.token.ReadLease;
import io.weighbridge.ledger.vocabulary.ReplicaState;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.testkit.TestLedger;
import io.weighbridge.wire.Keys;
import io.weighbridge.wire.ManifestSources;
import io.weighbridge.wire.ObjectResults;
import io.weighbridge.wire.ReadLeaseKeys;
import io.weighbridge.wire.ReplicaView;
import io.weighbridge.wire.ResolvePages;
import io.weighbridge.wire.ResolvedPages;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locate, pages and manifests over HTTP on a real ledger; tokens are verified as agents do. */
class ReadLeaseIT {

    @RegisterExtension
    static final TestLedger LEDGER = TestLedger.perClass();

    private static LeaseWorld world;
    private static UUID node;
    private static UUID otherNode;
    private static NodeKey key;

    @BeforeAll
    static void start(@TempDir Path files) {
        world = LeaseWorld.start(LEDGER, files, "weighbridge.leases.read-lease-ttl-max=8s");
        node = world.node("http://10.0.0.1:7000", AGENT.subject());
        otherNode = world.node("http://10.0.0.2:7000", AGENT.subject());
        key = fetchKey(node);
        fetchKey(otherNode);
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    @Test
    void aLocatedCopyCarriesALeaseThatItsNodeVerifies() {
        String id = world.object("acme", "models/a b%2F../é", null, node, otherNode);
        Instant before = databaseTime();
        ObjectResults.Item item = locate("models/a b%2F../é");
        Instant after = databaseTime();
        assertThat(item.status()).isEqualTo(200);
        assertThat(item.objectVersion()).isEqualTo(9);
        assertThat(item.size()).isEqualTo(42);
        assertThat(item.digest()).isEqualTo("b".repeat(64));
        assertThat(item.replicas()).hasSize(2);
        ReplicaView copy = item.replicas().stream()
                .filter(replica -> replica.nodeId().equals(node))
                .findFirst()
                .orElseThrow();
        assertThat(copy.url()).isEqualTo("http://10.0.0.1:7000");
        assertThat(copy.tier()).isEqualTo(Tier.MEMORY);
        assertThat(copy.state()).isEqualTo(ReplicaState.COMPLETE);
        assertThat(copy.readable()).isTrue();
        ReadLease lease = verified(copy);
        assertThat(lease.tenantId()).isEqualTo("acme");
        assertThat(lease.objectId()).isEqualTo(id).isEqualTo(CanonicalKeys.objectId("acme", "models/a b%2F../é"));
        assertThat(lease.objectVersion()).isEqualTo(9);
        assertThat(lease.replicaId()).isEqualTo(copy.replicaId());
        assertThat(lease.segmentEpoch()).isEqualTo(3);
        assertThat(lease.ttl()).isEqualTo(Duration.ofSeconds(8));
        assertThat(lease.issued()).isBetween(before, after);
        // Only that node's key signs it.
        ReplicaView other = item.replicas().stream()
                .filter(replica -> replica.nodeId().equals(otherNode))
                .findFirst()
                .orElseThrow();
        assertThatThrownBy(() -> verified(other)).hasMessageContaining("PERMISSION_DENIED");
    }

    @Test
    void theTimeCanBeAskedForUpToTheLongest() {
        world.object("acme", "timed", null, node);
        Answer answer = world.post(ALICE, "/v1/objects/locate", new Keys(List.of("timed"), null, 8_000L));
        assertThat(verified(answer.as(ObjectResults.class)
                                .items()
                                .getFirst()
                                .replicas()
                                .getFirst())
                        .ttl())
                .isEqualTo(Duration.ofSeconds(8));
        for (long millis : List.of(0L, -1L, 8_001L)) {
            refused(
                    world.post(ALICE, "/v1/objects/locate", new Keys(List.of("timed"), null, millis)),
                    ProblemCode.INVALID_ARGUMENT);
        }
    }

    /** Each of these makes the only copy unreadable, at once (spec 2.1). */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE metadata.segment SET segment_epoch = segment_epoch + 1 WHERE segment_id = ?",
                "UPDATE metadata.segment SET state = 'UNMOUNTED' WHERE segment_id = ?",
                "UPDATE metadata.segment SET state = 'VERIFYING' WHERE segment_id = ?",
                "UPDATE metadata.segment SET state = 'QUARANTINED' WHERE segment_id = ?",
                "UPDATE metadata.node SET state = 'DEAD' WHERE node_id = ?",
                "UPDATE metadata.replica SET state = 'REMOVED' WHERE node_id = ?",
                "UPDATE metadata.replica SET state = 'PROCESSING' WHERE node_id = ?",
                "UPDATE metadata.replica SET state = 'FAILED' WHERE node_id = ?",
                "DELETE FROM metadata.replica WHERE node_id = ?",
                "DELETE FROM lease.node_key WHERE node_id = ?"
            })
    void whatMustNotBeReadIsNotReady(String change) {
        UUID own = world.node("http://10.0.0.9:7000", AGENT.subject());
        if (!change.contains("node_key")) {
            fetchKey(own);
        }
        String name = "unreadable-" + own;
        world.object("acme", name, null, own);
        if (!change.contains("node_key")) {
            assertThat(locate(name).status()).isEqualTo(200);
        }
        LEDGER.sql(change, own);
        ObjectResults.Item item = locate(name);
        assertThat(item.code()).isEqualTo(ProblemCode.NOT_READY);
        assertThat(item.status()).isEqualTo(409);
        assertThat(item.replicas()).isEmpty();
        assertThat(item.detail()).isNotNull();
    }

    @Test
    void drainingSegmentsAndSuspectNodesCanBeRead() {
        UUID own = world.node("http://10.0.0.8:7000", AGENT.subject());
        fetchKey(own);
        world.object("acme", "draining", null, own);
        LEDGER.sql("UPDATE metadata.segment SET state = 'DRAINING' WHERE segment_id = ?", own);
        LEDGER.sql("UPDATE metadata.node SET state = 'SUSPECT' WHERE node_id = ?", own);
        assertThat(locate("draining").status()).isEqualTo(200);
    }

    @Test
    void eachKeyHasItsOwnStatusInItsPlace() {
        world.object("acme", "there", null, node);
        world.object("acme", "unreadable", null);
        world.object("globex", "foreign", null, node);
        List<String> keys = List.of("missing", "there", "unreadable", "foreign", "there");
        ObjectResults results =
                world.post(ALICE, "/v1/objects/locate", keys(keys)).as(ObjectResults.class);
        assertThat(results.items().stream().map(ObjectResults.Item::key)).isEqualTo(keys);
        assertThat(results.items().stream().map(ObjectResults.Item::status).toList())
                .isEqualTo(List.of(404, 200, 409, 404, 200));
    }

    @Test
    void lookingGrantsNothing() {
        world.object("acme", "looked at", null, node);
        ObjectResults.Item item = world.post(ALICE, "/v1/objects/locate?lease=false", keys(List.of("looked at")))
                .as(ObjectResults.class)
                .items()
                .getFirst();
        assertThat(item.status()).isEqualTo(200);
        assertThat(item.replicas())
                .singleElement()
                .satisfies(replica -> assertThat(replica.readLease()).isNull());
    }

    @Test
    void tenantsSeeTheirOwnAndServicesAndAgentsNameOne() {
        world.object("acme", "whose", null, node);
        assertThat(statusFor(world.post(STRANGER, "/v1/objects/locate", keys(List.of("whose")))))
                .isEqualTo(404);
        refused(
                world.post(STRANGER, "/v1/objects/locate?tenant_id=acme", keys(List.of("whose"))),
                ProblemCode.PERMISSION_DENIED);
        refused(world.post(NOBODY, "/v1/objects/locate", keys(List.of("whose"))), ProblemCode.PERMISSION_DENIED);
        refused(world.post(AGENT, "/v1/objects/locate", keys(List.of("whose"))), ProblemCode.INVALID_ARGUMENT);
        refused(world.post(SERVICE, "/v1/objects/locate", keys(List.of("whose"))), ProblemCode.INVALID_ARGUMENT);
        for (LeaseWorld.As as : List.of(AGENT, SERVICE, ALICE)) {
            assertThat(statusFor(world.post(as, "/v1/objects/locate?tenant_id=acme", keys(List.of("whose")))))
                    .isEqualTo(200);
        }
    }

    @Test
    void malformedRequestsAreRefused() {
        for (Object body : List.of(
                keys(List.of()),
                keys(Collections.nCopies(1001, "k")),
                keys(List.of("")),
                keys(List.of("x".repeat(1025))),
                keys(List.of("a\u0000b")),
                new Keys(List.of("k"), true, null),
                "{\"keys\":[null]}",
                "{\"keys\":[\"k\"],\"more\":1}")) {
            refused(world.post(ALICE, "/v1/objects/locate", body), ProblemCode.INVALID_ARGUMENT);
        }
    }

    @Test
    void aPageIsAHitOnlyAsAWhole() {
        world.object("acme", "p1", null, node, otherNode);
        world.object("acme", "p2", null, node);
        world.object("acme", "p3", null);
        ResolvedPages resolved =
                resolve(page("0", "p1", "p2"), page("1", "p2"), page("2", "p1", "p3", "p4"), page("3", "p1"));
        assertThat(resolved.leadingHits()).isEqualTo(2);
        assertThat(resolved.pages().stream().map(ResolvedPages.Page::result).toList())
                .isEqualTo(List.of(
                        ResolvedPages.Result.HIT,
                        ResolvedPages.Result.HIT,
                        ResolvedPages.Result.MISS,
                        ResolvedPages.Result.HIT));
        List<ReplicaView> leases =
                Objects.requireNonNull(resolved.pages().getFirst().readLeases());
        assertThat(leases)
                .hasSize(2)
                .allSatisfy(lease -> assertThat(lease.readLease()).isNotNull());
        assertThat(verified(leases.get(1)).objectId()).isEqualTo(CanonicalKeys.objectId("acme", "p2"));
        ResolvedPages.Page miss = resolved.pages().get(2);
        assertThat(miss.readLeases()).isNull();
        assertThat(miss.objects())
                .isEqualTo(List.of(
                        new ResolvedPages.PageObject("p1", null),
                        new ResolvedPages.PageObject("p3", ProblemCode.NOT_READY),
                        new ResolvedPages.PageObject("p4", ProblemCode.NOT_FOUND)));
        assertThat(resolve(page("0", "p4"), page("1", "p1")).leadingHits()).isZero();
        refused(world.post(ALICE, "/v1/pages/resolve", new ResolvePages(List.of())), ProblemCode.INVALID_ARGUMENT);
        refused(
                world.post(ALICE, "/v1/pages/resolve", new ResolvePages(List.of(page("0")))),
                ProblemCode.INVALID_ARGUMENT);
        refused(
                world.post(NOBODY, "/v1/pages/resolve", new ResolvePages(List.of(page("0", "p1")))),
                ProblemCode.PERMISSION_DENIED);
    }

    @Test
    void aCommittedRevisionTellsWhereItsManifestIs() {
        RevisionId revision = world.revision();
        String path = "/v1/revisions/" + revision + "/manifest";
        refused(world.get(ALICE, path), ProblemCode.NOT_READY);
        String manifestKey = String.valueOf(
                LEDGER.rows("SELECT manifest_key FROM metadata.revision WHERE revision_id = ?", revision.hex())
                        .getFirst()
                        .get("manifest_key"));
        world.object("acme", manifestKey, revision, node);
        ManifestSources sources = world.get(ALICE, path).as(ManifestSources.class);
        assertThat(sources.manifestKey()).isEqualTo(manifestKey);
        assertThat(sources.manifestSha256()).isEqualTo("a".repeat(64));
        assertThat(sources.size()).isEqualTo(42);
        assertThat(sources.sources()).singleElement().satisfies(source -> {
            assertThat(source.url()).isEqualTo("http://10.0.0.1:7000");
            assertThat(ReadLease.verify(source.readLease(), version -> key).objectId())
                    .isEqualTo(CanonicalKeys.objectId("acme", manifestKey));
        });
        assertThat(world.get(SERVICE, path).status()).isEqualTo(200);
        refused(world.get(STRANGER, path), ProblemCode.NOT_FOUND);
        refused(world.get(NOBODY, path), ProblemCode.PERMISSION_DENIED);
        refused(
                world.get(ALICE, "/v1/revisions/" + world.revision("acme", "IMPORTING") + "/manifest"),
                ProblemCode.NOT_READY);
    }

    private static NodeKey fetchKey(UUID of) {
        ReadLeaseKeys.Key newest = world.get(AGENT, "/v1/read-lease-keys?node_id=" + of)
                .as(ReadLeaseKeys.class)
                .keys()
                .getFirst();
        return new NodeKey(of, newest.version(), Base64.getUrlDecoder().decode(newest.secret()));
    }

    private static ReadLease verified(ReplicaView copy) {
        return ReadLease.verify(Objects.requireNonNull(copy.readLease()), version -> key);
    }

    private static ObjectResults.Item locate(String name) {
        return world.post(ALICE, "/v1/objects/locate", keys(List.of(name)))
                .as(ObjectResults.class)
                .items()
                .getFirst();
    }

    private static int statusFor(Answer answer) {
        return answer.as(ObjectResults.class).items().getFirst().status();
    }

    private static Keys keys(List<String> keys) {
        return new Keys(keys, null, null);
    }

    private static ResolvePages.Page page(String id, String... keys) {
        return new ResolvePages.Page(id, List.of(keys));
    }

    private static ResolvedPages resolve(ResolvePages.Page... pages) {
        return world.post(ALICE, "/v1/pages/resolve", new ResolvePages(List.of(pages)))
                .as(ResolvedPages.class);
    }

    private static Instant databaseTime() {
        Map<String, ?> row = LEDGER.rows("SELECT date_trunc('milliseconds', clock_timestamp()) AS now")
                .getFirst();
        return ((Timestamp) Objects.requireNonNull(row.get("now"))).toInstant();
    }

    private static void refused(Answer answer, ProblemCode code) {
        assertThat(answer.problem().code()).as(answer.body()).isEqualTo(code);
    }
}
