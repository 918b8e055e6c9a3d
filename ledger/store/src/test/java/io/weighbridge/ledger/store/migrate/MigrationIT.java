package io.weighbridge.ledger.store.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.ledger.store.LedgerStore;
import io.weighbridge.ledger.store.StoreDatabase;
import io.weighbridge.ledger.store.Writer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.test.StepVerifier;

class MigrationIT {

    @Test
    void theNewestVersionIsTheNewestFile() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/resources/db/migration"))) {
            int newest = files.map(file -> file.getFileName().toString())
                    .mapToInt(name -> Integer.parseInt(name.substring(1, name.indexOf("__"))))
                    .max()
                    .orElseThrow();
            assertThat(SchemaVersion.NEWEST).isEqualTo(newest);
        }
    }

    @Test
    void makesEverythingOnceAndThenNothingMore() throws SQLException {
        Migration migration = new Migration(StoreDatabase.admin(), "made_once", StoreDatabase.PASSWORDS);
        Migration.Outcome first = migration.run();
        assertThat(first.version()).isEqualTo(SchemaVersion.NEWEST);
        assertThat(first.done()).contains("created database made_once").anyMatch(line -> line.startsWith("applied V1"));

        assertThat(migration.run()).isEqualTo(new Migration.Outcome(SchemaVersion.NEWEST, List.of()));
    }

    @Test
    void changesPasswords() throws SQLException {
        String database = StoreDatabase.fresh().name();
        var other = new Migration.Passwords("another", "pw-lease", "pw-recon");
        String url = StoreDatabase.server().jdbcUrl(database);
        try {
            new Migration(StoreDatabase.admin(), database, other).run();
            try (Connection connection = DriverManager.getConnection(url, "weighbridge_metadata", "another")) {
                assertThat(connection.isValid(1)).isTrue();
            }
            assertThatThrownBy(() -> DriverManager.getConnection(url, "weighbridge_metadata", "pw-metadata"))
                    .hasMessageContaining("password authentication failed");
        } finally {
            new Migration(StoreDatabase.admin(), database, StoreDatabase.PASSWORDS).run();
        }
    }

    @Test
    void takesPrivilegesBackThatALoginMustNotHave() throws SQLException {
        StoreDatabase database = StoreDatabase.fresh();
        database.run("GRANT weighbridge_owner TO weighbridge_lease");
        Migration.Outcome outcome =
                new Migration(StoreDatabase.admin(), database.name(), StoreDatabase.PASSWORDS).run();
        assertThat(outcome.done()).containsExactly("took privileges from weighbridge_lease");
        try (Connection connection = database.login(Writer.LEASE);
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute("SET ROLE weighbridge_owner"))
                    .hasMessageContaining("permission denied");
        }
    }

    @Test
    void worksForAnAdministratorWhoIsNoSuperuser() throws SQLException {
        StoreDatabase database = StoreDatabase.fresh();
        // Roles are the server's: an administrator who did not make them needs the right to manage them.
        database.run(
                "CREATE ROLE helper LOGIN CREATEDB CREATEROLE PASSWORD 'helper-pw'",
                "GRANT weighbridge_owner, weighbridge_metadata, weighbridge_lease, weighbridge_reconciliation"
                        + " TO helper WITH ADMIN TRUE, SET FALSE, INHERIT FALSE");
        var admin = new Migration.Admin(StoreDatabase.server().jdbcUrl("postgres"), "helper", "helper-pw");
        Migration.Outcome outcome = new Migration(admin, "by_helper", StoreDatabase.PASSWORDS).run();
        assertThat(outcome.version()).isEqualTo(SchemaVersion.NEWEST);
    }

    @Test
    void tellsAWrongPassword() {
        var admin = new Migration.Admin(StoreDatabase.server().jdbcUrl("postgres"), "postgres", "wrong");
        assertThatThrownBy(() -> new Migration(admin, "weighbridge", StoreDatabase.PASSWORDS).run())
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("refuses user postgres with this password");
    }

    @Test
    void tellsAnUnreachableServer() {
        var admin = new Migration.Admin("jdbc:postgresql://127.0.0.1:1/postgres", "postgres", "x");
        assertThatThrownBy(() -> new Migration(admin, "weighbridge", StoreDatabase.PASSWORDS).run())
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("cannot be reached");
    }

    @Test
    void tellsAnAdministratorWithoutTheRight() throws SQLException {
        StoreDatabase database = StoreDatabase.fresh();
        database.run("CREATE ROLE nobody_special LOGIN PASSWORD 'x'");
        var admin = new Migration.Admin(StoreDatabase.server().jdbcUrl("postgres"), "nobody_special", "x");
        assertThatThrownBy(() -> new Migration(admin, "not_allowed", StoreDatabase.PASSWORDS).run())
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("CREATEROLE");
    }

    @Test
    void refusesNamesThatNeedQuotes() {
        assertThatThrownBy(() -> new Migration(StoreDatabase.admin(), "a; DROP", StoreDatabase.PASSWORDS))
                .isInstanceOf(MigrationException.class);
    }

    @Test
    void aServiceFindsAMigratedLedgerFit() {
        StoreDatabase database = StoreDatabase.fresh();
        SchemaCheck check = check(database);
        StepVerifier.create(check.verify()).verifyComplete();
        StepVerifier.create(check.daysAhead()).expectNext(DaysKeeper.AHEAD).verifyComplete();
    }

    @Test
    void aServiceRefusesAnOlderLedgerAndOneThatWasNeverMigrated() throws SQLException {
        StoreDatabase older = StoreDatabase.fresh();
        older.run("DELETE FROM flyway.flyway_schema_history WHERE version = '" + SchemaVersion.NEWEST + "'");
        StepVerifier.create(check(older).verify())
                .verifyErrorSatisfies(error -> assertThat(error)
                        .isInstanceOf(SchemaCheck.UnfitLedgerException.class)
                        .hasMessageContaining("run ./weighbridge migrate"));

        StoreDatabase without = StoreDatabase.fresh();
        without.run("DROP SCHEMA flyway CASCADE");
        StepVerifier.create(check(without).verify()).verifyError(SchemaCheck.UnfitLedgerException.class);
    }

    @Test
    void aServiceRefusesAServerThatLosesWrites() throws SQLException {
        StoreDatabase database = StoreDatabase.fresh();
        database.run("ALTER DATABASE " + database.name() + " SET synchronous_commit = off");
        StepVerifier.create(check(database).verify())
                .verifyErrorSatisfies(error -> assertThat(error)
                        .isInstanceOf(SchemaCheck.UnfitLedgerException.class)
                        .hasMessageContaining("synchronous_commit=off"));
        StepVerifier.create(new SchemaCheck(client(database), true).verify()).verifyComplete();
    }

    @Test
    void daysAreKept() throws SQLException {
        StoreDatabase database = StoreDatabase.fresh();
        database.run("""
                DO $$
                DECLARE child text;
                BEGIN
                    FOR child IN SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                                  JOIN pg_class p ON p.oid = i.inhparent WHERE p.relname LIKE 'oplog\\_%'
                                   AND c.relname >= p.relname || '_' || to_char(now() + interval '2 days', 'YYYYMMDD')
                                   AND c.relname ~ '[0-9]{8}$'
                    LOOP EXECUTE 'DROP TABLE ledger.' || child; END LOOP;
                END $$
                """);
        StepVerifier.create(check(database).daysAhead()).expectNext(1).verifyComplete();
        DaysKeeper keeper = new DaysKeeper(LedgerStore.connections(database.settings(Writer.LEASE)));
        StepVerifier.create(keeper.keep()).verifyComplete();
        StepVerifier.create(check(database).daysAhead())
                .expectNext(DaysKeeper.AHEAD)
                .verifyComplete();
    }

    @Test
    void oldDaysGoOnlyAfterTheHorizonHasMovedOverThem() throws SQLException {
        StoreDatabase database = StoreDatabase.fresh();
        String day = "(now() AT TIME ZONE 'UTC')::date - 9";
        database.run("SET ROLE weighbridge_owner", """
                DO $$
                DECLARE d date := %s; child text := 'oplog_lease_' || to_char(%s, 'YYYYMMDD');
                BEGIN
                    EXECUTE format('CREATE TABLE ledger.%%I PARTITION OF ledger.oplog_lease FOR VALUES FROM (%%L) TO (%%L)', child, d, d + 1);
                END $$
                """.formatted(day, day), """
                INSERT INTO ledger.oplog_lease (writer, day, ledger_epoch, xid, kind, entry_version, entity, entity_id,
                                                entity_version, tenant_id, subject, at, state)
                VALUES ('lease', %s, 1, 7, 13, 1, 'lease', 'x', 1, 'default', 'test', now(), '{}')
                """.formatted(day));
        try (Connection service = database.login(Writer.METADATA);
                Statement statement = service.createStatement()) {
            assertThat(number(statement, "SELECT ledger.drop_days(7)")).isZero();
            assertThat(number(statement, "SELECT xid FROM ledger.feed_horizon")).isEqualTo(7);
            assertThat(number(statement, "SELECT ledger.drop_days(7)")).isZero();
            database.run("UPDATE ledger.feed_horizon SET moved_at = now() - interval '2 minutes'");
            assertThat(number(statement, "SELECT ledger.drop_days(7)")).isEqualTo(1);
            assertThat(number(statement, "SELECT ledger.drop_days(7)")).isZero();
            assertThat(number(statement, "SELECT count(*) FROM ledger.oplog")).isZero();
        }
    }

    @Test
    void refusesPreparedTransactions() {
        assertThatThrownBy(() -> Migration.requireNoPreparedTransactions("5"))
                .isInstanceOf(MigrationException.class)
                .hasMessageContaining("max_prepared_transactions is 5");
    }

    private static SchemaCheck check(StoreDatabase database) {
        return new SchemaCheck(client(database), false);
    }

    private static DatabaseClient client(StoreDatabase database) {
        return DatabaseClient.create(LedgerStore.connections(database.settings(Writer.METADATA)));
    }

    private static int number(Statement statement, String sql) throws SQLException {
        try (ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
