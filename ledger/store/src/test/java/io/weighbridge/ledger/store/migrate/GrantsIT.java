package io.weighbridge.ledger.store.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.ledger.store.StoreDatabase;
import io.weighbridge.ledger.store.Writer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Goal: one writer per table and a history that cannot be changed hold in the database, whatever a service does. */
class GrantsIT {

    private static final String ENTRY = """
            INSERT INTO %s (writer, day, ledger_epoch, xid, kind, entry_version, entity, entity_id, entity_version,
                            tenant_id, subject, at, state)
            SELECT '%s', (now() AT TIME ZONE 'UTC')::date, ledger.epoch(), pg_current_xact_id()::text::bigint, 1, 1,
                   'revision', 'x', 1, 'default', 'test', now(), '{}'
            """;
    private static final String HEX = "a".repeat(64);

    private static StoreDatabase database;

    @BeforeAll
    static void migrate() {
        database = StoreDatabase.fresh();
    }

    static Stream<Arguments> forbidden() {
        return Stream.of(Writer.values())
                .flatMap(login -> Stream.concat(
                                forEverybody(login),
                                Stream.of(Writer.values())
                                        .filter(w -> w != login)
                                        .flatMap(other -> Stream.of(
                                                ENTRY.formatted("ledger.oplog_" + other.schema(), other.schema()),
                                                "CREATE TABLE " + other.schema() + ".mine (a int)")))
                        .map(sql -> Arguments.of(login, sql)));
    }

    private static Stream<String> forEverybody(Writer login) {
        String own = "ledger.oplog_" + login.schema();
        return Stream.of(
                ENTRY.formatted("ledger.oplog", login.schema()),
                "UPDATE " + own + " SET state = '{}'",
                "DELETE FROM " + own,
                "TRUNCATE " + own,
                "DELETE FROM ledger.oplog",
                "DROP TABLE " + own,
                "UPDATE ledger.restore_counter SET restores = 9",
                "UPDATE ledger.feed_horizon SET xid = 9",
                "CREATE TABLE " + login.schema() + ".mine (a int)",
                "CREATE TABLE public.mine (a int)",
                "CREATE TEMP TABLE mine (a int)",
                "CREATE SCHEMA mine",
                "SET ROLE weighbridge_owner",
                "DELETE FROM flyway.flyway_schema_history",
                "COPY ledger.oplog TO PROGRAM 'cat'",
                "ALTER SYSTEM SET fsync = off");
    }

    @ParameterizedTest
    @MethodSource("forbidden")
    void isForbidden(Writer login, String sql) {
        denied(login, sql);
    }

    @Test
    void onlyItsOwnServiceWritesATable() {
        List<String> metadata = List.of(
                "UPDATE metadata.revision SET labels = '{}'",
                "DELETE FROM metadata.replica",
                "DELETE FROM metadata.object");
        List<String> lease = List.of("DELETE FROM lease.revision_lease", "UPDATE lease.node_key SET version = 1");
        List<String> reconciliation = List.of("DELETE FROM reconciliation.work");
        Stream.concat(lease.stream(), reconciliation.stream()).forEach(sql -> denied(Writer.METADATA, sql));
        Stream.concat(metadata.stream(), reconciliation.stream()).forEach(sql -> denied(Writer.LEASE, sql));
        Stream.concat(lease.stream(), metadata.stream()).forEach(sql -> denied(Writer.RECONCILIATION, sql));
        // Views are no way around it, and cannot be locked.
        denied(Writer.LEASE, "UPDATE metadata.revision_v1 SET namespace = 'x'");
        denied(Writer.LEASE, "SELECT * FROM metadata.revision_v1 FOR UPDATE");
        denied(Writer.LEASE, "SELECT * FROM metadata.revision");
        denied(Writer.RECONCILIATION, "SELECT * FROM lease.node_key_v1");
        denied(Writer.METADATA, "DELETE FROM metadata.revision");
    }

    @ParameterizedTest
    @EnumSource(Writer.class)
    void whatAServiceNeedsIsAllowed(Writer login) throws SQLException {
        try (Connection connection = database.login(login);
                Statement statement = connection.createStatement()) {
            statement.execute(ENTRY.formatted("ledger.oplog_" + login.schema(), login.schema()));
            for (String sql : List.of(
                    "SELECT * FROM ledger.oplog",
                    "SELECT ledger.epoch(), ledger.days_ahead(), ledger.prepare_days(14), ledger.drop_days(7)",
                    "SELECT * FROM metadata.revision_v1",
                    "SELECT * FROM metadata.readable_replica_v1",
                    "SELECT * FROM metadata.object_v1",
                    "SELECT * FROM metadata.node_v1",
                    "SELECT * FROM lease.revision_lease_v1",
                    "SELECT version FROM flyway.flyway_schema_history",
                    "SELECT pg_advisory_xact_lock(1)",
                    "LISTEN ledger_feed",
                    "NOTIFY ledger_feed")) {
                statement.execute(sql);
            }
        }
    }

    @Test
    void entriesAreNumberedByOneSequenceInAllTables() throws SQLException {
        try (Connection connection = database.superuser();
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < 2; i++) {
                for (Writer writer : Writer.values()) {
                    statement.execute(ENTRY.formatted("ledger.oplog_" + writer.schema(), writer.schema()));
                }
            }
            try (var rows = statement.executeQuery("SELECT count(*) - count(DISTINCT seq) FROM ledger.oplog")) {
                rows.next();
                assertThat(rows.getInt(1)).isZero();
            }
        }
    }

    @Test
    void anEntryOfAnotherWriterDoesNotFitIntoATable() {
        denied(Writer.LEASE, ENTRY.formatted("ledger.oplog_lease", "metadata"), "violates partition constraint");
    }

    @Test
    void theManifestReferenceNeverChangesAfterTheCommit() throws SQLException {
        try (Connection connection = database.login(Writer.METADATA)) {
            insertRevision(connection, "b".repeat(64), "n", "r", "1", "default");
            try (Statement statement = connection.createStatement()) {
                String update = "UPDATE metadata.revision SET %s WHERE revision_id = '" + "b".repeat(64) + "'";
                statement.execute(
                        update.formatted(
                                "manifest_sha256 = 'x', payload_keys_sha256 = 'y', payload_count = 1, logical_bytes = 5,"
                                        + " commit_fence = 1, availability = 'READY', residency = 'HOT', metadata_generation = 2"));
                statement.execute(update.formatted("availability = 'DEGRADED', metadata_generation = 3"));
                for (String change : List.of(
                        "manifest_sha256 = 'z'",
                        "payload_keys_sha256 = 'z'",
                        "payload_count = 2",
                        "logical_bytes = 6",
                        "commit_fence = 2",
                        "commit_fence = NULL, availability = 'DELETING'",
                        "manifest_key = 'other'",
                        "payload_group_id = 'other'",
                        "weight_generation = 2",
                        "metadata_generation = 2")) {
                    assertThatThrownBy(() -> statement.execute(update.formatted(change)))
                            .as(change)
                            .hasMessageContaining("immutable");
                }
            }
        }
    }

    @Test
    void textsOfTheLargestSizeFitIntoEveryIndex() throws SQLException {
        RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
        String namespace = incompressible(random, 1024);
        String resource = incompressible(random, 1024);
        String revision = incompressible(random, 1024);
        String tenant = incompressible(random, 1024);
        try (Connection metadata = database.login(Writer.METADATA)) {
            insertRevision(metadata, HEX, namespace, resource, revision, tenant);
            execute(
                    metadata,
                    "INSERT INTO metadata.object VALUES ('" + HEX + "', ?, ?, 1, 'WEIGHT', ?, '" + HEX
                            + "', 0, NULL, NULL, 'NONE', NULL, now(), NULL, now())",
                    tenant,
                    revision,
                    namespace);
            execute(
                    metadata,
                    "INSERT INTO metadata.idempotency VALUES (?, ?, ?, 'x', '{}', now())",
                    tenant,
                    incompressible(random, 1024),
                    incompressible(random, 255));
        }
        try (Connection lease = database.login(Writer.LEASE)) {
            execute(
                    lease,
                    "INSERT INTO lease.revision_lease VALUES (gen_random_uuid(), '" + HEX
                            + "', ?, ?, 'x', 's', 1, 1, now(), now())",
                    tenant,
                    revision);
        }
    }

    private static String incompressible(RandomGenerator random, int bytes) {
        StringBuilder text = new StringBuilder();
        random.ints(bytes, 0x21, 0x7F).forEach(character -> text.append((char) character));
        return text.toString();
    }

    private static void insertRevision(
            Connection connection, String id, String namespace, String resource, String revision, String tenant)
            throws SQLException {
        execute(connection, """
                INSERT INTO metadata.revision
                    (revision_id, namespace, resource_id, revision, tenant_id, weight_generation, namespace_hash,
                     resource_hash, expected_payload_count, expected_logical_bytes, payload_group_id, manifest_key,
                     availability, residency, operation, metadata_generation, labels, memory_replicas, cold_replicas,
                     last_residency_target, import_token_hash, import_subject, created_at, updated_at)
                VALUES ('%s', ?, ?, ?, ?, 1, repeat('c', 64), repeat('d', 64), 1, 5, 'g', 'k', 'IMPORTING', 'UNKNOWN',
                        'NONE', 1, '{}', 1, 1, 'HOT', 'h', 's', now(), now())
                """.formatted(id), namespace, resource, revision, tenant);
    }

    private static void execute(Connection connection, String sql, String... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setString(i + 1, values[i]);
            }
            statement.execute();
        }
    }

    private static void denied(Writer login, String sql) {
        denied(login, sql, "(?s).*(permission denied|must be owner|cannot lock rows in view).*");
    }

    private static void denied(Writer login, String sql, String message) {
        assertThatThrownBy(() -> {
                    try (Connection connection = database.login(login);
                            Statement statement = connection.createStatement()) {
                        statement.execute(sql);
                    }
                })
                .as(login + ": " + sql)
                .isInstanceOf(SQLException.class)
                .message()
                .matches(text -> text.contains(message) || text.matches(message), message);
    }
}
