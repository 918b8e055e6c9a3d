package io.weighbridge.metadata.revision.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.spi.Readable;
import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.Writer;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.metadata.revision.domain.ImportSummary;
import io.weighbridge.metadata.revision.domain.Placement;
import io.weighbridge.metadata.revision.domain.Revision.ImportSession;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import io.weighbridge.testkit.TestLedger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;

/**
 * Goal: with 10,000 revisions and 60,000 objects every statement goes through an index, and SQL computes the digest of
 * keys as Java does.
 */
class RevisionPlansIT {

    @RegisterExtension
    static final TestLedger LEDGER = TestLedger.perClass();

    private static final RevisionIdentity IDENTITY = new RevisionIdentity("default", "golden", "r", "v", 1);
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static Ledger ledger;

    @BeforeAll
    static void fill() {
        ledger = LEDGER.ledger(Writer.METADATA);
        UUID node = UUID.randomUUID();
        UUID segment = UUID.randomUUID();
        LEDGER.sql("""
                INSERT INTO metadata.node VALUES (?, ?, 'http://127.0.0.1:1', '{}', 'boot', 'LIVE', 'node/a', 1, now(), now())
                """, node, UUID.randomUUID());
        LEDGER.sql("""
                INSERT INTO metadata.segment VALUES (?, ?, 'MEMORY', ?, 'MOUNTED', 1, 1000000, 0, 0)
                """, segment, node, UUID.randomUUID());
        LEDGER.sql("""
                INSERT INTO metadata.revision (revision_id, tenant_id, namespace, resource_id, revision, weight_generation,
                    namespace_hash, resource_hash, expected_payload_count, expected_logical_bytes, payload_group_id,
                    manifest_key, availability, residency, operation, metadata_generation, labels, memory_replicas,
                    cold_replicas, last_residency_target, import_token_hash, import_subject, created_at, updated_at)
                SELECT encode(sha256(i::text::bytea), 'hex'), 'default', 'n' || i % 20, 'r' || i % 100, 'v' || i, 1,
                       'n' || i % 20, 'r' || i % 100, 5, 100, 'weight:' || encode(sha256(i::text::bytea), 'hex'), 'm' || i,
                       'IMPORTING', 'UNKNOWN', 'NONE', 1, '{}', 1, 0, 'HOT', 'x', 'y', now(), now()
                  FROM generate_series(1, 10000) i
                """);
        LEDGER.sql("""
                INSERT INTO metadata.object (object_id, tenant_id, key, size, type, group_id, revision_id, object_version,
                    digest, pin, created_at, committed_at, last_access)
                SELECT encode(sha256((r.revision_id || k)::bytea), 'hex'), 'default', 'k' || k || '-' || r.revision_id, 10,
                       'WEIGHT', r.payload_group_id, r.revision_id, 1, 'd', 'NONE', now(), now(), now()
                  FROM metadata.revision r, generate_series(1, 6) k
                """);
        LEDGER.sql("""
                INSERT INTO metadata.replica (replica_id, object_id, put_id, node_id, segment_id, segment_epoch, tier, size,
                    state, created_at)
                SELECT gen_random_uuid(), object_id, gen_random_uuid(), ?, ?, 1, 'MEMORY', 10, 'COMPLETE', now()
                  FROM metadata.object
                """, node, segment);
        for (String table : List.of("revision", "object", "replica", "segment", "node")) {
            LEDGER.sql("VACUUM ANALYZE metadata." + table);
        }
    }

    private static Registered some(RevisionIdentity identity) {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        return new Registered(
                identity,
                new ImportSummary(5, 100),
                new ImportSession("x", "y", null),
                null,
                Availability.IMPORTING,
                Residency.UNKNOWN,
                Residency.HOT,
                null,
                1,
                Map.of(),
                Placement.DEFAULT,
                null,
                now,
                now);
    }

    private static GenericExecuteSpec explain(String sql) {
        return ledger.reads().sql("EXPLAIN " + sql);
    }

    /** As lists and filters bind it. */
    private static GenericExecuteSpec list(String sql) {
        return explain(sql)
                .bind("resource_hash", "r7")
                .bind("tenant", "default")
                .bind("namespace", "n7")
                .bind("resource", "r7")
                .bind("availability", new String[] {"IMPORTING", "READY"})
                .bindNull("labels", String.class)
                .bind("limit", 101);
    }

    static Stream<GenericExecuteSpec> statements() {
        return Stream.of(
                MemberSummaries.bind(explain(MemberSummaries.SUMMARY), some(IDENTITY)),
                list(RevisionReads.BY_REVISION).bind("after_revision", "v1").bind("after_generation", 1L),
                list(RevisionReads.BY_COMMIT)
                        .bind("after_uncommitted", true)
                        .bind("after_time", Instant.EPOCH)
                        .bind("after_id", "0"),
                explain(Browsing.NAMESPACES)
                        .bind("tenant", "default")
                        .bind("after", "n1")
                        .bind("limit", 10),
                explain(Browsing.RESOURCES)
                        .bind("namespace_hash", "n1")
                        .bind("tenant", "default")
                        .bind("after", "r1")
                        .bind("limit", 10),
                explain(MemberRows.PAGE)
                        .bind("id", "00".repeat(32))
                        .bind("after", "k")
                        .bindNull("tenant", String.class)
                        .bind("limit", 101));
    }

    @ParameterizedTest
    @MethodSource("statements")
    void noStatementReadsAWholeTable(GenericExecuteSpec statement) {
        String plan = statement
                .map(RevisionPlansIT::line)
                .all()
                .collect(Collectors.joining("\n"))
                .block(LIMIT);
        assertThat(plan)
                .contains("Index")
                .doesNotContain("Seq Scan on revision", "Seq Scan on object", "Seq Scan on replica");
    }

    @Test
    void theMembersOfACommitComeFromAnIndexOnly() {
        String plan = MemberSummaries.bind(explain(MemberSummaries.SUMMARY), some(IDENTITY))
                .map(RevisionPlansIT::line)
                .all()
                .collect(Collectors.joining("\n"))
                .block(LIMIT);
        assertThat(plan).contains("Index Only Scan using object_by_revision");
    }

    private static String line(Readable row) {
        return String.valueOf(row.get(0, String.class));
    }

    @Test
    void sqlComputesTheDigestOfKeysAsJavaDoes() throws SQLException {
        List<List<String>> sets = List.of(
                List.of("payload-b", "payload-a"),
                List.of("a", "ab", "é"),
                List.of("\uFF5E", "🚀", "a\nb", "1:a", "Z", "z", "ä"));
        List<String> golden = List.of(
                "0a7cc6d30456fcec0991fcf65f9290b6457950344d983ff5ba81cfaf2d327412",
                "632e9a448546202196717394a6f591b324a637064c0eb70201ece8a1bfb13c63",
                CanonicalKeys.payloadKeysSha256(sets.getLast()));
        for (int i = 0; i < sets.size(); i++) {
            RevisionIdentity identity = new RevisionIdentity("tenant-" + i, "golden", "r", "v", 1);
            insert(identity, sets.get(i));
            String digest = MemberSummaries.bind(ledger.reads().sql(MemberSummaries.SUMMARY), some(identity))
                    .map(row -> Columns.text(row, "payload_keys_sha256"))
                    .one()
                    .block(LIMIT);
            assertThat(digest).isEqualTo(golden.get(i));
        }
    }

    private static void insert(RevisionIdentity identity, List<String> keys) throws SQLException {
        LEDGER.sql("""
                INSERT INTO metadata.revision (revision_id, tenant_id, namespace, resource_id, revision, weight_generation,
                    namespace_hash, resource_hash, expected_payload_count, expected_logical_bytes, payload_group_id,
                    manifest_key, availability, residency, operation, metadata_generation, labels, memory_replicas,
                    cold_replicas, last_residency_target, import_token_hash, import_subject, created_at, updated_at)
                VALUES (?, ?, 'golden', 'r', 'v', 1, 'h', 'h', 5, 100, ?, ?, 'IMPORTING', 'UNKNOWN', 'NONE', 1, '{}', 1, 0,
                        'HOT', 'x', 'y', now(), now())
                """, identity.id().hex(), identity.tenantId(), identity.payloadGroupId(), identity.manifestKey());
        try (Connection connection = LEDGER.superuser();
                PreparedStatement insert = connection.prepareStatement("""
                        INSERT INTO metadata.object (object_id, tenant_id, key, size, type, group_id, revision_id,
                            object_version, pin, created_at, last_access)
                        VALUES (?, ?, ?, 10, 'WEIGHT', ?, ?, 0, 'NONE', now(), now())
                        """)) {
            for (String key : keys) {
                insert.setString(1, CanonicalKeys.objectId(identity.tenantId(), key));
                insert.setString(2, identity.tenantId());
                insert.setString(3, key);
                insert.setString(4, identity.payloadGroupId());
                insert.setString(5, identity.id().hex());
                insert.executeUpdate();
            }
        }
    }
}
