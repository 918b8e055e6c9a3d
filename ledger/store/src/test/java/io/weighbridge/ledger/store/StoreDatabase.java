package io.weighbridge.ledger.store;

import io.weighbridge.ledger.store.embedded.EmbeddedPostgresql;
import io.weighbridge.ledger.store.migrate.Migration;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A migrated database of its own for a test of this module, on one server per virtual machine. Other modules have the
 * test kit, which cannot be used here since it needs this module.
 */
public final class StoreDatabase {

    public static final Migration.Passwords PASSWORDS = new Migration.Passwords("pw-metadata", "pw-lease", "pw-recon");

    private static final EmbeddedPostgresql SERVER =
            EmbeddedPostgresql.temporary().closeAtExit();
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final String name;

    private StoreDatabase(String name) {
        this.name = name;
    }

    public static EmbeddedPostgresql server() {
        return SERVER;
    }

    public static Migration.Admin admin() {
        return new Migration.Admin(SERVER.jdbcUrl("postgres"), SERVER.adminUser(), SERVER.adminPassword());
    }

    public static StoreDatabase fresh() {
        StoreDatabase database = new StoreDatabase("store_" + NUMBER.incrementAndGet());
        new Migration(admin(), database.name, PASSWORDS).run();
        return database;
    }

    public String name() {
        return name;
    }

    public LedgerSettings settings(Writer writer) {
        return new LedgerSettings(
                SERVER.r2dbcUrl(name),
                Migration.login(writer),
                PASSWORDS.of(writer),
                8,
                Duration.ofSeconds(2),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                false);
    }

    /** As the superuser. */
    public Connection superuser() throws SQLException {
        return DriverManager.getConnection(SERVER.jdbcUrl(name), SERVER.adminUser(), SERVER.adminPassword());
    }

    /** As a service. */
    public Connection login(Writer writer) throws SQLException {
        return DriverManager.getConnection(SERVER.jdbcUrl(name), Migration.login(writer), PASSWORDS.of(writer));
    }

    /** Runs statements as the superuser. */
    public void run(String... statements) throws SQLException {
        try (Connection connection = superuser();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
