package io.weighbridge.metadata.revision;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.metadata.revision.RunningService.Answer;
import io.weighbridge.wire.CommitImport;
import io.weighbridge.wire.ManifestReference;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: reading and importing revisions over HTTP against a real ledger. Method: members, copies and leases are put there by
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
        return number("SELECT count(*) AS n FROM metadata.revision");
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
