package io.weighbridge.metadata.revision;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.metadata.revision.RunningService.Answer;
import io.weighbridge.testkit.TestLedger;
import io.weighbridge.wire.CommitImport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Goal: every command on revisions over HTTP against a real ledger. Method: members, copies and leases are put there by
 * SQL; after each refusal the revision's row is compared with what it was.
 */
class RevisionIT {

    @RegisterExtension
    static final TestLedger LEDGER = TestLedger.perClass();

    private static final AtomicInteger NAMES = new AtomicInteger();

    static RunningService service;
    static Arranged arranged;

    @BeforeAll
    static void start() {
        service = new RunningService(LEDGER);
        arranged = new Arranged(LEDGER);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    static RevisionIdentity fresh() {
        return new RevisionIdentity("default", "production", "llama", "step-" + NAMES.incrementAndGet(), 1);
    }

    static Map<String, Object> begin(RevisionIdentity identity, int payloads) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("namespace", identity.namespace());
        body.put("resource_id", identity.resourceId());
        body.put("revision", identity.revision());
        body.put("weight_generation", identity.weightGeneration());
        body.put("expected_payload_count", payloads);
        body.put("expected_logical_bytes", payloads * Arranged.SIZE);
        return body;
    }

    static Answer begun(RevisionIdentity identity, int payloads) {
        Answer answer = service.post("/v1/revisions/imports")
                .body(begin(identity, payloads))
                .send();
        assertThat(answer.status()).as("%s", answer).isEqualTo(201);
        return answer;
    }

    static String path(RevisionIdentity identity) {
        return "/v1/revisions/" + identity.id();
    }

    /** A committed revision, HOT, at generation 2. */
    static RevisionIdentity ready(int payloads) {
        RevisionIdentity identity = fresh();
        begun(identity, payloads);
        arranged.members(identity, payloads);
        Answer answer = commit(identity, 1, payloads);
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        return identity;
    }

    static Answer commit(RevisionIdentity identity, long fence, int payloads) {
        return service.post(path(identity) + "/commit")
                .ifMatch(fence)
                .body(new CommitImport(Arranged.reference(identity, payloads)))
                .send();
    }

    static Map<String, ?> row(RevisionIdentity identity) {
        return LEDGER.rows(
                        "SELECT * FROM metadata.revision WHERE revision_id = ?",
                        identity.id().hex())
                .getFirst();
    }

    /** Refused with this status and code, and nothing has changed. */
    static void refused(RevisionIdentity identity, RunningService.Request request, int status, String code) {
        Map<String, ?> before = row(identity);
        List<?> operations = LEDGER.rows("SELECT * FROM metadata.operation ORDER BY operation_id");
        Answer answer = request.send();
        assertThat(answer.status()).as("%s", answer).isEqualTo(status);
        assertThat(answer.code()).isEqualTo(code);
        assertThat(row(identity)).isEqualTo(before);
        assertThat(LEDGER.rows("SELECT * FROM metadata.operation ORDER BY operation_id")
                        .toString())
                .isEqualTo(operations.toString());
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

        refused(
                identity,
                service.post(path(identity) + "/commit").body(new CommitImport(Arranged.reference(identity, 3))),
                428,
                "PRECONDITION_REQUIRED");
        refused(
                identity,
                service.post(path(identity) + "/commit")
                        .ifMatch(1)
                        .body(new CommitImport(Arranged.reference(identity, 3))),
                404,
                "NOT_FOUND");
        arranged.members(identity, 3);
        refused(
                identity,
                service.post(path(identity) + "/commit")
                        .ifMatch(2)
                        .body(new CommitImport(Arranged.reference(identity, 3))),
                412,
                "STALE_GENERATION");

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
    }

    @Test
    void aDeleteEndsInATombstone() {
        RevisionIdentity identity = ready(2);
        Answer deleting = service.delete(path(identity)).ifMatch(2).send();
        assertThat(deleting.status()).as("%s", deleting).isEqualTo(202);
        assertThat(deleting.header("location")).isEqualTo(path(identity));
        RunningService.Request finish = service.post("/v1/internal/revisions/" + identity.id() + "/finish-delete")
                .as(RunningService.INTERNAL)
                .body(Map.of("claim_epoch", 1));
        refused(identity, finish, 409, "NOT_READY");
        arranged.retire(identity, "MEMORY");
        assertThat(finish.send().status()).isEqualTo(200);
        assertThat(row(identity).get("availability")).isEqualTo("DELETED");
        assertThat(service.delete(path(identity)).ifMatch(2).send().status()).isEqualTo(200);
        assertThat(service.post("/v1/revisions/imports")
                        .body(begin(identity, 2))
                        .send()
                        .code())
                .isEqualTo("CONFLICT");
    }
}
