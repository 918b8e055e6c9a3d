package io.weighbridge.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.testkit.TestLedger;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Plans of statements on a ledger with many rows. */
public final class Plans {

    private Plans() {}

    /** 5,000 revisions with 4 leases each, 20,000 objects with a copy each on one node. */
    public static void fill(TestLedger ledger) {
        ledger.sql("""
                INSERT INTO metadata.revision (revision_id, tenant_id, namespace, resource_id, revision,
                       weight_generation, namespace_hash, resource_hash, expected_payload_count,
                       expected_logical_bytes, payload_group_id, manifest_key, manifest_sha256, payload_keys_sha256,
                       payload_count, logical_bytes, commit_fence, availability, residency, operation,
                       metadata_generation, labels, memory_replicas, cold_replicas, last_residency_target,
                       import_token_hash, import_subject, created_at, updated_at, committed_at)
                SELECT encode(sha256(('r' || i)::bytea), 'hex'), 'acme', 'n', 'r', 'v' || i, 1, 'h', 'h', 1, 1,
                       'g' || i, 'm' || i, repeat('a', 64), repeat('a', 64), 1, 1, 1, 'READY', 'HOT', 'NONE', 2, '{}',
                       1, 0, 'HOT', 'x', 'alice', now(), now(), now()
                  FROM generate_series(1, 5000) i
                """);
        ledger.sql("""
                INSERT INTO lease.revision_lease (lease_id, revision_id, tenant_id, holder, token_hash, subject,
                                                  fenced_metadata_generation, lease_version, granted_at, expires_at)
                SELECT gen_random_uuid(), revision_id, tenant_id, 'rank-' || i, repeat('a', 64), 'alice', 2, 1, now(),
                       now() + i * interval '1 minute'
                  FROM metadata.revision, generate_series(1, 4) i
                """);
        ledger.sql("""
                INSERT INTO metadata.node (node_id, agent_incarnation, url, labels, host_boot_id, state, subject,
                                           node_version, registered_at)
                VALUES (md5('n')::uuid, md5('n')::uuid, 'http://n', '{}', 'boot', 'LIVE', 'node/a', 1, now())
                """);
        ledger.sql("""
                INSERT INTO metadata.segment (segment_id, node_id, tier, arena_id, state, segment_epoch, capacity,
                                              used_bytes)
                VALUES (md5('n')::uuid, md5('n')::uuid, 'MEMORY', md5('n')::uuid, 'MOUNTED', 1, 1, 0)
                """);
        ledger.sql("""
                INSERT INTO metadata.object (object_id, tenant_id, key, size, type, revision_id, object_version, digest,
                                             pin, created_at, committed_at, last_access)
                SELECT encode(sha256(('o' || i)::bytea), 'hex'), 'acme', 'm' || i, 1, 'WEIGHT',
                       encode(sha256(('r' || (i % 5000 + 1))::bytea), 'hex'), 1, 'd', 'NONE', now(), now(), now()
                  FROM generate_series(1, 20000) i
                """);
        ledger.sql("""
                INSERT INTO metadata.replica (replica_id, object_id, put_id, node_id, segment_id, segment_epoch, tier,
                                              size, state, created_at)
                SELECT gen_random_uuid(), object_id, md5('n')::uuid, md5('n')::uuid, md5('n')::uuid, 1, 'MEMORY', 1,
                       'COMPLETE', now()
                  FROM metadata.object
                """);
        ledger.sql("ANALYZE");
    }

    /** The statement reads none of the large tables as a whole. Parameters are given as SQL. */
    public static void assertIndexed(TestLedger ledger, String statement, Map<String, String> parameters) {
        String sql = statement;
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            sql = sql.replaceAll(":" + parameter.getKey() + "\\b", parameter.getValue());
        }
        List<String> lines = ledger.rows("EXPLAIN " + sql).stream()
                .map(row -> String.valueOf(row.get("QUERY PLAN")))
                .toList();
        String plan = lines.stream().collect(Collectors.joining("\n"));
        assertThat(plan)
                .contains("Index")
                .doesNotContain("Seq Scan on revision")
                .doesNotContain("Seq Scan on object")
                .doesNotContain("Seq Scan on replica");
    }
}
