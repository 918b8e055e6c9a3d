package io.weighbridge.metadata.revision;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.metadata.revision.RunningService.Answer;
import io.weighbridge.testkit.TestLedger;
import io.weighbridge.wire.CommitImport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A running service with an arranged ledger, and the requests that most tests begin with. */
abstract class RevisionWorld {

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

    static Map<String, @Nullable Object> row(RevisionIdentity identity) {
        return LEDGER.rows(
                        "SELECT * FROM metadata.revision WHERE revision_id = ?",
                        identity.id().hex())
                .getFirst();
    }

    /** The one number of a query, named {@code n}. */
    static long number(String sql) {
        return (long) Objects.requireNonNull(LEDGER.rows(sql).getFirst().get("n"));
    }

    /** Refused with this status and code, and nothing has changed. */
    static void refused(RevisionIdentity identity, RunningService.Request request, int status, String code) {
        Map<String, @Nullable Object> before = row(identity);
        List<?> operations = LEDGER.rows("SELECT * FROM metadata.operation ORDER BY operation_id");
        Answer answer = request.send();
        assertThat(answer.status()).as("%s", answer).isEqualTo(status);
        assertThat(answer.code()).isEqualTo(code);
        assertThat(row(identity).toString()).isEqualTo(before.toString());
        assertThat(LEDGER.rows("SELECT * FROM metadata.operation ORDER BY operation_id")
                        .toString())
                .isEqualTo(operations.toString());
    }
}
