package io.weighbridge.metadata.object;

import static io.weighbridge.metadata.world.FakeAgent.digest;
import static io.weighbridge.metadata.world.FakeAgent.stored;
import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.ledger.vocabulary.Tier;
import io.weighbridge.metadata.world.FakeAgent;
import io.weighbridge.metadata.world.MetadataWorld;
import io.weighbridge.metadata.world.Puts;
import io.weighbridge.testkit.TestLedger;
import io.weighbridge.wire.BeginImport;
import io.weighbridge.wire.BegunImport;
import io.weighbridge.wire.Claimed;
import io.weighbridge.wire.CommitImport;
import io.weighbridge.wire.Keys;
import io.weighbridge.wire.ManifestReference;
import io.weighbridge.wire.ObjectResults;
import io.weighbridge.wire.PlanReplicas;
import io.weighbridge.wire.PutEnd;
import io.weighbridge.wire.PutStart;
import io.weighbridge.wire.PutStarted;
import io.weighbridge.wire.Reports;
import io.weighbridge.wire.RetireReplicas;
import io.weighbridge.wire.RetiredReplicas;
import io.weighbridge.wire.RevisionView;
import io.weighbridge.wire.StartResidency;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Members of managed groups (spec 1.7): written by their import only, copied and retired by operations only. */
class MemberIT {

    @RegisterExtension
    static final TestLedger LEDGER = TestLedger.perClass();

    private static final long SIZE = 10;

    @SuppressWarnings("NullAway.Init")
    private static MetadataWorld world;

    @SuppressWarnings("NullAway.Init")
    private static FakeAgent agent;

    @BeforeAll
    static void start() {
        world = new MetadataWorld(LEDGER, "weighbridge.nodes.suspect-after=1h", "weighbridge.nodes.dead-after=2h");
        agent = world.agent()
                .offer(Tier.MEMORY, 1_000_000)
                .offer(Tier.LOCAL_DISK, 1_000_000)
                .join();
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    /** An import in progress. */
    private record Import(RevisionView view, String token) {

        Puts puts() {
            return new Puts(world, "Import-Token", token);
        }

        PutStart.Item payload(int number) {
            return Puts.member(key(number), SIZE, ObjectType.WEIGHT, view.payloadGroupId());
        }

        PutStart.Item manifest() {
            return Puts.member(view.manifestKey(), SIZE, ObjectType.METADATA, view.payloadGroupId());
        }

        String key(int number) {
            return view.resourceId() + "/payload-" + number;
        }

        String path() {
            return "/v1/revisions/" + view.revisionId();
        }
    }

    private static Import begin(String resource, long payloads, boolean takeover) {
        BegunImport begun = world.post(
                        "/v1/revisions/imports",
                        new BeginImport(
                                null, "ns", resource, "r1", 1, payloads, payloads * SIZE, null, null, null, takeover))
                .as(BegunImport.class);
        return new Import(begun.revision(), Objects.requireNonNull(begun.importToken()));
    }

    private static void write(Import into, List<PutStart.Item> items) {
        List<PutStarted.Item> started = into.puts().start(items);
        List<Reports.Item> reports = new ArrayList<>();
        List<PutEnd.Item> ends = new ArrayList<>();
        for (PutStarted.Item item : started) {
            Puts.Begun begun = Puts.begun(item);
            reports.add(stored(begun.targets().getFirst().replicaId(), begun.token(), SIZE, digest(begun.key())));
            ends.add(new PutEnd.Item(begun.key(), begun.token(), SIZE, digest(begun.key())));
        }
        assertThat(agent.report(reports)).containsOnly(200);
        assertThat(into.puts().end(ends)).extracting(ObjectResults.Item::status).containsOnly(200);
    }

    private static MetadataWorld.Answer commit(Import done, int payloads) {
        List<String> keys = IntStream.range(0, payloads).mapToObj(done::key).toList();
        ManifestReference reference = new ManifestReference(
                done.view().manifestKey(),
                digest(done.view().manifestKey()),
                done.view().payloadGroupId(),
                CanonicalKeys.payloadKeysSha256(keys),
                payloads,
                payloads * SIZE);
        return world.post(done.path() + "/commit", new CommitImport(reference), "If-Match", "\"1\"");
    }

    private static RevisionView view(Import of) {
        return world.get(of.path()).as(RevisionView.class);
    }

    @Test
    void onlyTheCurrentImportWrites() {
        Import first = begin("guarded", 2, false);
        assertThat(new Puts(world).start(first.payload(0)).code()).isEqualTo(ProblemCode.STALE_TOKEN);
        assertThat(first.puts().start(first.manifest()).code()).isEqualTo(ProblemCode.NOT_READY);
        assertThat(first.puts()
                        .start(Puts.member(
                                "x", SIZE, ObjectType.GENERAL, first.view().payloadGroupId()))
                        .code())
                .isEqualTo(ProblemCode.INVALID_ARGUMENT);
        Puts.Begun zombie = first.puts().begin(first.payload(0));
        Import second = begin("guarded", 2, true);
        agent.report(stored(zombie.targets().getFirst().replicaId(), zombie.token(), SIZE, digest("zombie")));
        assertThat(first.puts().end(zombie.key(), zombie.token(), null, null).code())
                .isEqualTo(ProblemCode.STALE_TOKEN);
        assertThat(first.puts().start(first.payload(1)).code()).isEqualTo(ProblemCode.STALE_TOKEN);
        write(second, List.of(second.payload(0), second.payload(1)));
        write(second, List.of(second.manifest()));
        assertThat(world.number(
                        "SELECT count(*) FROM metadata.object WHERE revision_id = ? AND pin = 'HARD'",
                        second.view().revisionId()))
                .isEqualTo(1);
        assertThat(commit(second, 2).status()).isEqualTo(200);
        assertThat(second.puts().start(second.payload(7)).code()).isEqualTo(ProblemCode.CONFLICT);
        ObjectResults removed = world.post("/v1/objects/remove", new Keys(List.of(second.key(0)), true, null))
                .as(ObjectResults.class);
        assertThat(removed.items().getFirst().code()).isEqualTo(ProblemCode.MANAGED_GROUP);
        assertThat(world.number(
                        "SELECT count(*) FROM ledger.oplog WHERE kind = 15 AND revision_id = ?",
                        second.view().revisionId()))
                .isEqualTo(3);
    }

    @Test
    void aRevokedMemberIsNoMember() {
        Import into = begin("revoked", 1, false);
        Puts.Begun begun = into.puts().begin(into.payload(5));
        assertThat(into.puts().revoke(begun.key(), begun.token()).status()).isEqualTo(200);
        write(into, List.of(into.payload(0)));
        write(into, List.of(into.manifest()));
        assertThat(commit(into, 1).as(RevisionView.class).availability()).isEqualTo(Availability.READY);
    }

    @Test
    void fullMixtralSize() {
        int payloads = 1739;
        Import into = begin("mixtral", payloads, false);
        long began = System.nanoTime();
        for (int from = 0; from < payloads; from += 128) {
            write(
                    into,
                    IntStream.range(from, Math.min(from + 128, payloads))
                            .mapToObj(into::payload)
                            .toList());
        }
        write(into, List.of(into.manifest()));
        long written = System.nanoTime();
        assertThat(commit(into, payloads).status()).isEqualTo(200);
        System.out.printf(
                "1,740 members started, reported and ended in batches of 128 in %d ms; committed in %d ms%n",
                (written - began) / 1_000_000, (System.nanoTime() - written) / 1_000_000);
    }

    private static PutStarted.Item plan(Import of, UUID operation, long epoch, String key, Tier tier) {
        return world.post(
                        "/v1/internal/replicas/plan",
                        new PlanReplicas(
                                of.view().revisionId(),
                                operation,
                                epoch,
                                List.of(new PlanReplicas.Item(key, tier, agent.nodeId()))),
                        "Authorization",
                        "Bearer " + MetadataWorld.INTERNAL)
                .as(PutStarted.class)
                .items()
                .getFirst();
    }

    private static MetadataWorld.Answer tryRetire(Import of, UUID operation, UUID... replicas) {
        return world.post(
                "/v1/internal/replicas/retire",
                new RetireReplicas(of.view().revisionId(), operation, 5, List.of(replicas)),
                "Authorization",
                "Bearer " + MetadataWorld.INTERNAL);
    }

    private static List<Integer> retire(Import of, UUID operation, UUID... replicas) {
        return tryRetire(of, operation, replicas).as(RetiredReplicas.class).items().stream()
                .map(RetiredReplicas.Item::status)
                .toList();
    }

    private static UUID replica(String key, Tier tier) {
        return (UUID) Objects.requireNonNull(LEDGER.rows(
                        "SELECT replica_id FROM metadata.readable_replica_v1 WHERE key = ? AND tier = ?",
                        key,
                        tier.name())
                .getFirst()
                .get("replica_id"));
    }

    @Test
    void operationsAddAndRetireCopies() {
        Import into = begin("evicted", 1, false);
        write(into, List.of(into.payload(0)));
        write(into, List.of(into.manifest()));
        commit(into, 1);
        assertThat(world.post(into.path() + "/residency", new StartResidency(Residency.COLD), "If-Match", "\"2\"")
                        .status())
                .isEqualTo(202);
        UUID operation = Objects.requireNonNull(view(into).operationId());
        String payload = into.key(0);
        String manifest = into.view().manifestKey();
        UUID hot = replica(payload, Tier.MEMORY);

        assertThat(retire(into, operation, hot)).as("the last readable copy").containsExactly(409);
        assertThat(tryRetire(into, UUID.randomUUID(), hot).code()).isEqualTo(ProblemCode.CONFLICT);
        Puts.Begun planned = Puts.begun(plan(into, operation, 5, payload, Tier.LOCAL_DISK));
        assertThat(Puts.begun(plan(into, operation, 5, payload, Tier.LOCAL_DISK)))
                .as("the same plan")
                .isEqualTo(planned);
        assertThat(world.post(
                                "/v1/internal/replicas/plan",
                                new PlanReplicas(
                                        into.view().revisionId(),
                                        operation,
                                        4,
                                        List.of(new PlanReplicas.Item(payload, Tier.LOCAL_DISK, agent.nodeId()))),
                                "Authorization",
                                "Bearer " + MetadataWorld.INTERNAL)
                        .code())
                .as("an older claim")
                .isEqualTo(ProblemCode.STALE_TOKEN);
        UUID cold = planned.targets().getFirst().replicaId();
        agent.report(stored(cold, planned.token(), SIZE, digest("damaged on the way")));
        assertThat(world.number(
                        "SELECT count(*) FROM metadata.replica WHERE replica_id = ? AND state = 'FAILED'", cold))
                .isEqualTo(1);
        Puts.Begun again = Puts.begun(plan(into, operation, 5, payload, Tier.LOCAL_DISK));
        agent.report(stored(again.targets().getFirst().replicaId(), again.token(), SIZE, digest(payload)));
        assertThat(plan(into, operation, 5, payload, Tier.LOCAL_DISK).code()).isEqualTo(ProblemCode.ALREADY_EXISTS);
        assertThat(retire(into, operation, hot, hot)).containsExactly(200, 200);

        Puts.Begun last = Puts.begun(plan(into, operation, 5, manifest, Tier.LOCAL_DISK));
        agent.report(stored(last.targets().getFirst().replicaId(), last.token(), SIZE, digest(manifest)));
        assertThat(retire(into, operation, replica(manifest, Tier.MEMORY))).containsExactly(200);
        assertThat(world.post(
                                "/v1/internal/revisions/" + into.view().revisionId() + "/finish",
                                new Claimed(operation, 5, null, null),
                                "Authorization",
                                "Bearer " + MetadataWorld.INTERNAL)
                        .status())
                .isEqualTo(200);
        assertThat(view(into).residency()).isEqualTo(Residency.COLD);
        assertThat(LEDGER.rows(
                        "SELECT kind, count(*) AS n FROM ledger.oplog WHERE revision_id = ? AND kind IN (16, 18)"
                                + " GROUP BY kind ORDER BY kind",
                        into.view().revisionId()))
                .extracting(row -> row.get("n"))
                .containsExactly(2L, 2L);
        deletes(into, payload, manifest);
    }

    private static void deletes(Import of, String payload, String manifest) {
        world.delete(of.path(), "If-Match", "\"" + view(of).metadataGeneration() + "\"");
        assertThat(view(of).availability()).isEqualTo(Availability.DELETING);
        UUID first = replica(payload, Tier.LOCAL_DISK);
        UUID second = replica(manifest, Tier.LOCAL_DISK);
        assertThat(deleteCopies(of, second)).as("the manifest comes last").containsExactly(409);
        assertThat(deleteCopies(of, first)).containsExactly(200);
        assertThat(deleteCopies(of, second)).containsExactly(200);
        assertThat(world.number(
                        "SELECT count(*) FROM metadata.readable_replica_v1 WHERE revision_id = ?",
                        of.view().revisionId()))
                .isZero();
    }

    private static List<Integer> deleteCopies(Import of, UUID... replicas) {
        return world
                .post(
                        "/v1/internal/replicas/retire",
                        new RetireReplicas(of.view().revisionId(), null, 6, List.of(replicas)),
                        "Authorization",
                        "Bearer " + MetadataWorld.INTERNAL)
                .as(RetiredReplicas.class)
                .items()
                .stream()
                .map(RetiredReplicas.Item::status)
                .toList();
    }
}
