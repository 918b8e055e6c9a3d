package io.weighbridge.metadata.revision;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.metadata.revision.RunningService.Answer;
import io.weighbridge.wire.CommitImport;
import io.weighbridge.wire.ManifestReference;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: every command on revisions over HTTP against a real ledger. Method: members, copies and leases are put there by
 * SQL; after each refusal the revision's row is compared with what it was.
 */
class RevisionIT extends RevisionWorld {

    private static CommitImport reference(RevisionIdentity identity, int payloads) {
        return new CommitImport(Arranged.reference(identity, payloads));
    }

    private static RunningService.Request internal(RevisionIdentity identity, String what, Object body) {
        return service.post("/v1/internal/revisions/" + identity.id() + "/" + what)
                .as(RunningService.INTERNAL)
                .body(body);
    }

    private static Map<String, Object> claimed(String operation, long epoch) {
        return Map.of("operation_id", operation, "claim_epoch", epoch);
    }

    private static String start(RevisionIdentity identity, long fence, String target) {
        Answer answer = service.post(path(identity) + "/residency")
                .ifMatch(fence)
                .body(Map.of("target", target))
                .send();
        assertThat(answer.status()).as("%s", answer).isEqualTo(202);
        String id = answer.body().path("operation_id").asString();
        assertThat(answer.header("location")).isEqualTo("/v1/operations/" + id);
        return id;
    }

    @Test
    void anImportBecomesReady() {
        RevisionIdentity identity = fresh();
        Answer begun = begun(identity, 3);
        assertThat(begun.header("etag")).isEqualTo("\"1\"");
        assertThat(begun.body().path("revision").path("availability").asString())
                .isEqualTo("IMPORTING");
        assertThat(begun.body().path("import_token").asString()).hasSize(43);

        Answer again =
                service.post("/v1/revisions/imports").body(begin(identity, 3)).send();
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.body().has("import_token")).isFalse();

        String commit = path(identity) + "/commit";
        refused(identity, service.post(commit).body(reference(identity, 3)), 428, "PRECONDITION_REQUIRED");
        refused(
                identity,
                service.post(commit).header("If-Match", "*").body(reference(identity, 3)),
                400,
                "INVALID_ARGUMENT");
        refused(identity, service.post(commit).ifMatch(1).body(reference(identity, 3)), 404, "NOT_FOUND");
        arranged.members(identity, 3);
        refused(identity, service.post(commit).ifMatch(2).body(reference(identity, 3)), 412, "STALE_GENERATION");
        refused(identity, service.post(commit).ifMatch(1).body("{\"manifest\":{}}"), 400, "INVALID_ARGUMENT");

        Answer committed = commit(identity, 1, 3);
        assertThat(committed.status()).as("%s", committed).isEqualTo(200);
        assertThat(committed.header("etag")).isEqualTo("\"2\"");
        assertThat(committed.body().path("residency").asString()).isEqualTo("HOT");
        assertThat(commit(identity, 1, 3).status()).isEqualTo(200);
        assertThat(row(identity).get("metadata_generation")).isEqualTo(2L);

        Answer seen = service.get(path(identity)).send();
        assertThat(seen.body()).isEqualTo(committed.body());
        assertThat(service.get(path(identity))
                        .header("If-None-Match", "\"2\"")
                        .send()
                        .status())
                .isEqualTo(304);
        assertThat(LEDGER.rows(
                        "SELECT 1 FROM metadata.import_heartbeat WHERE revision_id = ?",
                        identity.id().hex()))
                .isEmpty();
    }

    @Test
    void theCommitLooksAtTheMembers() {
        RevisionIdentity identity = fresh();
        begun(identity, 3);
        arranged.members(identity, 3);
        ManifestReference good = Arranged.reference(identity, 3);
        RunningService.Request extra = commitRequest(identity, good);
        arranged.payload(identity, "an-extra-one-" + identity.revision());
        refused(identity, extra, 409, "CONFLICT");
        LEDGER.sql("DELETE FROM metadata.object WHERE key = ?", "an-extra-one-" + identity.revision());

        LEDGER.sql("UPDATE metadata.segment SET segment_epoch = 2 WHERE segment_id = ?", arranged.memory());
        refused(identity, commitRequest(identity, good), 409, "NOT_READY");
        LEDGER.sql("UPDATE metadata.segment SET segment_epoch = 1 WHERE segment_id = ?", arranged.memory());

        refused(
                identity,
                commitRequest(
                        identity,
                        new ManifestReference(
                                good.manifestKey(),
                                "00".repeat(32),
                                good.payloadGroupId(),
                                good.payloadKeysSha256(),
                                good.payloadCount(),
                                good.logicalBytes())),
                409,
                "CONFLICT");
        refused(
                identity,
                commitRequest(
                        identity,
                        new ManifestReference(
                                good.manifestKey(),
                                good.manifestSha256(),
                                good.payloadGroupId(),
                                "00".repeat(32),
                                good.payloadCount(),
                                good.logicalBytes())),
                409,
                "CONFLICT");
        LEDGER.sql(
                "UPDATE metadata.object SET type = 'GENERAL' WHERE key = ?",
                Arranged.payloadKeys(identity, 1).getFirst());
        refused(identity, commitRequest(identity, good), 409, "CONFLICT");
        LEDGER.sql(
                "UPDATE metadata.object SET type = 'WEIGHT' WHERE key = ?",
                Arranged.payloadKeys(identity, 1).getFirst());
        assertThat(commitRequest(identity, good).send().status()).isEqualTo(200);
    }

    private static RunningService.Request commitRequest(RevisionIdentity identity, ManifestReference manifest) {
        return service.post(path(identity) + "/commit").ifMatch(1).body(new CommitImport(manifest));
    }

    @Test
    void beginValidatesItsArguments() {
        long before = count();
        for (Map<String, Object> change : List.<Map<String, Object>>of(
                Map.of("expected_payload_count", 0),
                Map.of("expected_logical_bytes", 0),
                Map.of("weight_generation", 0),
                Map.of("weight_generation", 9007199254740992L),
                Map.of("namespace", ""),
                Map.of("namespace", "a\u0001b"),
                Map.of("namespace", "a".repeat(1025)),
                Map.of("revision", "生".repeat(341)),
                Map.of("payload_group_id", "weight:" + "00".repeat(32)),
                Map.of("placement", Map.of("memory_replicas", 0, "cold_replicas", 0)),
                Map.of("labels", Map.of("k", "v".repeat(1025))),
                Map.of("unknown_field", 1),
                Map.of("expected_payload_count", "3"),
                Map.of("expected_payload_count", 3.0))) {
            Map<String, Object> body = begin(fresh(), 3);
            body.putAll(change);
            Answer answer = service.post("/v1/revisions/imports").body(body).send();
            assertThat(answer.status()).as("%s: %s", change, answer).isEqualTo(400);
            assertThat(answer.code()).isEqualTo("INVALID_ARGUMENT");
        }
        Map<String, Object> foreign = begin(fresh(), 3);
        foreign.put("tenant_id", "acme");
        assertThat(service.post("/v1/revisions/imports").body(foreign).send().status())
                .isEqualTo(403);
        assertThat(count()).isEqualTo(before);
    }

    private static long count() {
        return (long) LEDGER.rows("SELECT count(*) AS n FROM metadata.revision")
                .getFirst()
                .get("n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "100%", "..", "%2F", "a;b", "🚀 emoji", "生产", "a b+c*~", "'; DROP TABLE x; --"})
    void anyTextIsALegalIdentity(String text) {
        RevisionIdentity identity = new RevisionIdentity("default", "odd " + text, text, text, 3);
        begun(identity, 1);
        String query = "?namespace=" + RunningService.encode(identity.namespace()) + "&resource_id="
                + RunningService.encode(text) + "&revision=" + RunningService.encode(text) + "&weight_generation=3";
        Answer found = service.get("/v1/revisions/lookup" + query).send();
        assertThat(found.status()).as("%s", found).isEqualTo(200);
        assertThat(found.body().path("revision_id").asString())
                .isEqualTo(identity.id().hex());
        assertThat(found.body().path("revision").asString()).isEqualTo(text);
    }

    @Test
    void anImportIsTakenOver() {
        Map<String, Object> body = begin(fresh(), 2);
        Answer begun = service.post("/v1/revisions/imports")
                .as(RunningService.ACME)
                .body(body)
                .send();
        assertThat(begun.status()).isEqualTo(201);
        String id = begun.body().path("revision").path("revision_id").asString();
        String first = begun.body().path("import_token").asString();
        assertThat(heartbeat(id, first).status()).isEqualTo(204);

        body.put("takeover", true);
        Answer stranger = service.post("/v1/revisions/imports")
                .as(RunningService.ACME_OTHER)
                .body(body)
                .send();
        assertThat(stranger.code()).isEqualTo("PERMISSION_DENIED");
        assertThat(heartbeat(id, first).status()).isEqualTo(204);

        Answer taken = service.post("/v1/revisions/imports")
                .as(RunningService.ACME)
                .body(body)
                .send();
        assertThat(taken.status()).isEqualTo(200);
        String second = taken.body().path("import_token").asString();
        assertThat(second).hasSize(43).isNotEqualTo(first);
        assertThat(taken.header("etag")).isEqualTo("\"1\"");
        assertThat(heartbeat(id, first).code()).isEqualTo("STALE_TOKEN");
        assertThat(heartbeat(id, second).status()).isEqualTo(204);
        assertThat(LEDGER.rows("SELECT subject FROM ledger.oplog WHERE revision_id = ? ORDER BY xid, seq", id)
                        .toString())
                .isEqualTo("[{subject=trainer}, {subject=trainer}]");
    }

    private static Answer heartbeat(String id, String token) {
        return service.post("/v1/revisions/" + id + "/heartbeat")
                .as(RunningService.ACME)
                .header("Import-Token", token)
                .send();
    }

    @Test
    void tenantsDoNotSeeEachOther() {
        RevisionIdentity identity = fresh();
        Map<String, Object> body = begin(identity, 2);
        Answer begun = service.post("/v1/revisions/imports")
                .as(RunningService.ACME)
                .body(body)
                .send();
        String path = "/v1/revisions/"
                + begun.body().path("revision").path("revision_id").asString();
        assertThat(service.get(path).as(RunningService.READER).send().status()).isEqualTo(200);
        assertThat(service.get(path).as(RunningService.OPERATOR).send().status())
                .isEqualTo(200);
        for (String what : List.of("", "/members", "/diagnosis")) {
            assertThat(service.get(path + what).as(RunningService.RIVAL).send().code())
                    .isEqualTo("NOT_FOUND");
            assertThat(service.get(path + what).send().code()).isEqualTo("NOT_FOUND");
        }
        assertThat(service.post(path + "/abort")
                        .as(RunningService.RIVAL)
                        .ifMatch(1)
                        .send()
                        .code())
                .isEqualTo("NOT_FOUND");
        assertThat(service.post(path + "/abort")
                        .as(RunningService.READER)
                        .ifMatch(1)
                        .send()
                        .code())
                .isEqualTo("PERMISSION_DENIED");
        assertThat(service.get("/v1/internal/work").send().status()).isEqualTo(403);
        assertThat(service.get(path).as("nonsense").send().status()).isEqualTo(401);
        assertThat(service.post(path + "/abort")
                        .as(RunningService.INTERNAL)
                        .ifMatch(1)
                        .send()
                        .status())
                .isEqualTo(202);
    }

    @Test
    void anEvictionAndARehydrationRunToTheirEnds() {
        RevisionIdentity identity = ready(2);
        String residency = path(identity) + "/residency";
        refused(identity, service.post(residency).ifMatch(2).body(Map.of("target", "MIXED")), 400, "INVALID_ARGUMENT");
        UUID lease = arranged.lease(identity, 2, 60_000);
        refused(identity, service.post(residency).ifMatch(2).body(Map.of("target", "COLD")), 423, "BUSY");
        LEDGER.sql("UPDATE lease.revision_lease SET expires_at = now() WHERE lease_id = ?", lease);

        String operation = start(identity, 2, "COLD");
        assertThat(row(identity).get("operation")).isEqualTo("EVICTING");
        Answer again = service.post(residency)
                .ifMatch(2)
                .body(Map.of("target", "COLD"))
                .send();
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.body().path("operation_id").asString()).isEqualTo(operation);
        refused(identity, service.post(residency).ifMatch(3).body(Map.of("target", "HOT")), 423, "BUSY");
        refused(identity, service.delete(path(identity)).ifMatch(3), 423, "BUSY");
        refused(identity, internal(identity, "finish", claimed(operation, 1)), 409, "NOT_READY");

        arranged.copyToDisk(identity);
        assertThat(internal(identity, "progress", claimed(operation, 2)).send().status())
                .isEqualTo(200);
        arranged.retire(identity, "MEMORY");
        assertThat(internal(identity, "progress", claimed(operation, 2)).send().status())
                .isEqualTo(200);
        Answer half = service.get("/v1/operations/" + operation).send();
        assertThat(half.body().path("processed_members").asLong()).isEqualTo(3);
        refused(identity, internal(identity, "finish", claimed(operation, 1)), 409, "STALE_TOKEN");
        assertThat(internal(identity, "finish", claimed(operation, 2)).send().status())
                .isEqualTo(200);
        Answer done = service.get("/v1/operations/" + operation).send();
        assertThat(done.body().path("active").asBoolean()).isFalse();
        assertThat(done.body().path("message").asString()).isEqualTo("completed");
        assertThat(row(identity)).containsEntry("residency", "COLD").containsEntry("metadata_generation", 4L);

        String back = start(identity, 4, "HOT");
        arranged.copyToMemory(identity, arranged.node(), arranged.memory());
        assertThat(internal(identity, "finish", claimed(back, 3)).send().status())
                .isEqualTo(200);
        assertThat(row(identity)).containsEntry("residency", "HOT").containsEntry("last_residency_target", "HOT");
        assertThat(service.get("/v1/operations?revision_id=" + identity.id())
                        .send()
                        .body()
                        .path("operations")
                        .size())
                .isEqualTo(2);
    }

    @Test
    void anOperationIsCancelledOnce() {
        RevisionIdentity identity = ready(2);
        String operation = start(identity, 2, "COLD");
        arranged.copyToDisk(identity);
        Answer cancelled =
                service.post("/v1/operations/" + operation + "/cancel").send();
        assertThat(cancelled.status()).as("%s", cancelled).isEqualTo(200);
        assertThat(cancelled.body().path("message").asString()).isEqualTo("cancelled");
        assertThat(row(identity)).containsEntry("availability", "READY").containsEntry("metadata_generation", 4L);
        refused(identity, service.post("/v1/operations/" + operation + "/cancel"), 409, "CONFLICT");
        assertThat(service.post("/v1/operations/" + UUID.randomUUID() + "/cancel")
                        .send()
                        .code())
                .isEqualTo("NOT_FOUND");
    }

    @Test
    void aLostMemberDegradesAndHeals() {
        RevisionIdentity identity = ready(2);
        Map<String, Object> look = Map.of("claim_epoch", 1);
        assertThat(internal(identity, "observe", look).send().status()).isEqualTo(200);
        assertThat(row(identity).get("metadata_generation")).isEqualTo(2L);
        LEDGER.sql(
                "UPDATE metadata.replica SET state = 'REMOVED' WHERE object_id IN (SELECT object_id FROM metadata.object WHERE key = ?)",
                Arranged.payloadKeys(identity, 1).getFirst());
        assertThat(internal(identity, "observe", look).send().status()).isEqualTo(200);
        assertThat(row(identity))
                .containsEntry("availability", "DEGRADED")
                .containsEntry("residency", "MIXED")
                .containsEntry("metadata_generation", 3L);
        assertThat(service.get(path(identity) + "/diagnosis")
                        .send()
                        .body()
                        .path("readable")
                        .asBoolean())
                .isFalse();

        Answer repair = service.post(path(identity) + "/repair").ifMatch(3).send();
        assertThat(repair.status()).as("%s", repair).isEqualTo(202);
        String operation = repair.body().path("operation_id").asString();
        refused(
                identity,
                internal(identity, "repair", Map.of("expected_generation", 4, "claim_epoch", 9)),
                423,
                "BUSY");
        LEDGER.sql(
                "UPDATE metadata.replica SET state = 'COMPLETE' WHERE object_id IN (SELECT object_id FROM metadata.object WHERE key = ?)",
                Arranged.payloadKeys(identity, 1).getFirst());
        assertThat(internal(identity, "finish", claimed(operation, 1)).send().status())
                .isEqualTo(200);
        assertThat(row(identity)).containsEntry("availability", "READY").containsEntry("residency", "HOT");
        assertThat(service.post(path(identity) + "/repair").ifMatch(5).send().status())
                .isEqualTo(204);
        assertThat(service.get(path(identity) + "/diagnosis")
                        .send()
                        .body()
                        .path("readable")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void aPlacementIsRepairedTowardsAutomatically() {
        RevisionIdentity identity = ready(2);
        RunningService.Request stale = service.put(path(identity) + "/placement")
                .ifMatch(1)
                .body(Map.of("memory_replicas", 2, "cold_replicas", 0));
        refused(identity, stale, 412, "STALE_GENERATION");
        Answer placed = service.put(path(identity) + "/placement")
                .ifMatch(2)
                .body(Map.of("memory_replicas", 2, "cold_replicas", 0, "node_labels", Map.of("zone", "a")))
                .send();
        assertThat(placed.status()).as("%s", placed).isEqualTo(200);
        assertThat(placed.body().path("placement").path("memory_replicas").asInt())
                .isEqualTo(2);

        Map<String, Object> repair = Map.of("expected_generation", 3, "claim_epoch", 5);
        Answer started = internal(identity, "repair", repair).send();
        assertThat(started.body().path("operation").asString()).isEqualTo("REPAIRING");
        String operation = started.body().path("operation_id").asString();
        refused(identity, internal(identity, "finish", claimed(operation, 5)), 409, "NOT_READY");

        String eviction = start(identity, 4, "COLD");
        assertThat(row(identity).get("metadata_generation")).isEqualTo(5L);
        Answer old = service.get("/v1/operations/" + operation).send();
        assertThat(old.body().path("active").asBoolean()).isFalse();
        assertThat(old.body().path("message").asString()).isEqualTo("cancelled");
        assertThat(service.get("/v1/operations/" + eviction)
                        .send()
                        .body()
                        .path("automatic")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void copiesOnOtherNodesCountTowardsThePlacement() {
        RevisionIdentity identity = ready(2);
        UUID node = UUID.randomUUID();
        UUID memory = UUID.randomUUID();
        arranged.addNode(node, memory, UUID.randomUUID());
        service.put(path(identity) + "/placement")
                .ifMatch(2)
                .body(Map.of("memory_replicas", 1, "cold_replicas", 0, "nodes", List.of(node)))
                .send();
        String operation = internal(identity, "start-repair", Map.of("expected_generation", 3, "claim_epoch", 1))
                .send()
                .body()
                .path("operation_id")
                .asString();
        refused(identity, internal(identity, "finish", claimed(operation, 1)), 409, "NOT_READY");
        arranged.copyToMemory(identity, node, memory);
        assertThat(internal(identity, "finish", claimed(operation, 1)).send().status())
                .isEqualTo(200);
        Answer surplus = internal(identity, "repair", Map.of("expected_generation", 5, "claim_epoch", 2))
                .send();
        assertThat(surplus.body().path("operation").asString()).isEqualTo("REPAIRING");
    }

    @Test
    void aDeleteWaitsForReadersAndEndsInATombstone() {
        RevisionIdentity identity = ready(2);
        UUID lease = arranged.lease(identity, 2, 600_000);
        refused(
                identity,
                service.delete(path(identity) + "?wait_for_leases=false").ifMatch(2),
                423,
                "BUSY");
        refused(identity, service.delete(path(identity) + "?drain_ms=-1").ifMatch(2), 400, "INVALID_ARGUMENT");
        refused(identity, service.delete(path(identity) + "?wait_ms=60001").ifMatch(2), 400, "INVALID_ARGUMENT");
        Answer deleting =
                service.delete(path(identity) + "?drain_ms=1000").ifMatch(2).send();
        assertThat(deleting.status()).as("%s", deleting).isEqualTo(202);
        assertThat(deleting.header("location")).isEqualTo(path(identity));
        assertThat(service.delete(path(identity)).ifMatch(2).send().status()).isEqualTo(200);
        refused(identity, service.delete(path(identity)).ifMatch(1), 412, "STALE_GENERATION");

        Map<String, Object> claim = Map.of("claim_epoch", 1);
        refused(identity, internal(identity, "finish-delete", claim), 409, "NOT_READY");
        arranged.retire(identity, "MEMORY");
        refused(identity, internal(identity, "finish-delete", claim), 409, "NOT_READY");
        LEDGER.sql("DELETE FROM lease.revision_lease WHERE lease_id = ?", lease);
        assertThat(internal(identity, "finish-delete", claim).send().status()).isEqualTo(200);
        assertThat(internal(identity, "finish-delete", claim).send().status()).isEqualTo(200);
        assertThat(row(identity)).containsEntry("availability", "DELETED").containsEntry("residency", "ABSENT");
        assertThat(service.delete(path(identity)).ifMatch(1).send().status()).isEqualTo(200);
        assertThat(service.post("/v1/revisions/imports")
                        .body(begin(identity, 2))
                        .send()
                        .code())
                .isEqualTo("CONFLICT");
    }

    @Test
    void anAbortEndsInATombstone() {
        RevisionIdentity identity = fresh();
        begun(identity, 2);
        refused(identity, service.delete(path(identity)).ifMatch(1), 409, "NOT_READY");
        refused(identity, service.post(path(identity) + "/abort?idle_ms=60000").ifMatch(1), 409, "NOT_READY");
        assertThat(service.post(path(identity) + "/abort").ifMatch(1).send().status())
                .isEqualTo(202);
        assertThat(service.post(path(identity) + "/abort").ifMatch(1).send().status())
                .isEqualTo(200);
        refused(identity, service.post(path(identity) + "/abort").ifMatch(7), 412, "STALE_GENERATION");
        assertThat(internal(identity, "finish-delete", Map.of("claim_epoch", 1))
                        .send()
                        .status())
                .isEqualTo(200);
        assertThat(row(identity).get("availability")).isEqualTo("DELETED");
    }

    @Test
    void aRepeatedCommandUnderOneKeyTakesEffectOnce() {
        RevisionIdentity identity = ready(2);
        String residency = path(identity) + "/residency";
        Answer first = service.post(residency)
                .ifMatch(2)
                .header("Idempotency-Key", "k-1")
                .body(Map.of("target", "COLD"))
                .send();
        assertThat(first.status()).isEqualTo(202);
        String operation = first.body().path("operation_id").asString();
        service.post("/v1/operations/" + operation + "/cancel")
                .header("Idempotency-Key", "k-2")
                .send();
        Answer repeated = service.post(residency)
                .ifMatch(2)
                .header("Idempotency-Key", "k-1")
                .body(Map.of("target", "COLD"))
                .send();
        assertThat(repeated.status()).as("%s", repeated).isEqualTo(200);
        assertThat(repeated.body().path("operation_id").asString()).isEqualTo(operation);
        assertThat(repeated.body().path("active").asBoolean()).isFalse();
        refused(
                identity,
                service.post(residency)
                        .ifMatch(4)
                        .header("Idempotency-Key", "k-1")
                        .body(Map.of("target", "HOT")),
                409,
                "CONFLICT");
        Answer cancelled = service.post("/v1/operations/" + operation + "/cancel")
                .header("Idempotency-Key", "k-2")
                .send();
        assertThat(cancelled.status()).isEqualTo(200);
        assertThat(LEDGER.rows("SELECT outcome::text AS o FROM metadata.idempotency WHERE key LIKE 'k-_'")
                        .toString())
                .doesNotContain("token");
    }

    @Test
    void theSituationShowsEverything() {
        RevisionIdentity identity = ready(2);
        arranged.lease(identity, 2, 60_000);
        Answer answer = service.get("/v1/internal/revisions/" + identity.id() + "/situation")
                .as(RunningService.INTERNAL)
                .send();
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        assertThat(answer.body().path("members").size()).isEqualTo(3);
        assertThat(answer.body().path("live_leases").asInt()).isEqualTo(1);
        assertThat(answer.body().path("last_residency_target").asString()).isEqualTo("HOT");
        assertThat(answer.body()
                        .path("members")
                        .path(0)
                        .path("replicas")
                        .path(0)
                        .path("readable")
                        .asBoolean())
                .isTrue();
        assertThat(answer.body().path("nodes").size()).isPositive();
        Answer work =
                service.get("/v1/internal/work").as(RunningService.INTERNAL).send();
        assertThat(work.body().path("revision_ids").toString())
                .contains(identity.id().hex());
    }
}
