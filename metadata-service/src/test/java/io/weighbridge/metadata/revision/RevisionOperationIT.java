package io.weighbridge.metadata.revision;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.metadata.revision.RunningService.Answer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Goal: placing, moving, repairing and deleting revisions over HTTP. Method: members, copies and leases are put there by
 * SQL; after each refusal the revision's row is compared with what it was.
 */
class RevisionOperationIT extends RevisionWorld {

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
        String operation = internal(identity, "repair", Map.of("expected_generation", 3, "claim_epoch", 1))
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
}
