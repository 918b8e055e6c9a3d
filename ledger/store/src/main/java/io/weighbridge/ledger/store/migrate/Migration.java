package io.weighbridge.ledger.store.migrate;

import io.weighbridge.ledger.store.Writer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.output.MigrateOutput;
import org.flywaydb.core.api.output.MigrateResult;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Makes the ledger, or brings it up to date: roles, database, and all migrations as the owner role. Running it again
 * changes nothing but the passwords.
 */
public final class Migration {

    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
    private static final int OLDEST_SERVER = 17;
    private static final int CONNECT_TIMEOUT_S = 10;

    /**
     * Who may do it.
     *
     * @param url {@code jdbc:postgresql://host:port/postgres}
     * @param user a superuser, or a role with CREATEROLE and CREATEDB
     */
    public record Admin(String url, String user, String password) {
        @Override
        public String toString() {
            return "Admin[url=" + url + ", user=" + user + "]";
        }
    }

    /** The passwords of the services' logins. */
    public record Passwords(String metadata, String lease, String reconciliation) {

        public String of(Writer writer) {
            return switch (writer) {
                case METADATA -> metadata;
                case LEASE -> lease;
                case RECONCILIATION -> reconciliation;
            };
        }

        @Override
        public String toString() {
            return "Passwords[hidden]";
        }
    }

    /**
     * @param version of the schema now
     * @param done one line per change, empty when everything was as it should be
     */
    public record Outcome(int version, List<String> done) {}

    private final Admin admin;
    private final String database;
    private final Passwords passwords;
    private final List<String> done = new ArrayList<>();

    /** @param database its name, usually {@code weighbridge}: lower-case letters, digits and underscores */
    public Migration(Admin admin, String database, Passwords passwords) {
        if (!NAME.matcher(database).matches()) {
            throw new MigrationException("'" + database + "' is not a database name that works without quotes", null);
        }
        this.admin = admin;
        this.database = database;
        this.passwords = passwords;
    }

    /** The login of a service. */
    public static String login(Writer writer) {
        return Roles.login(writer);
    }

    /** @throws MigrationException when the server is not fit or does not let this administrator do it */
    public Outcome run() {
        done.clear();
        try (Connection connection = connect(admin.url(), null)) {
            requireFit(connection);
            // One migration at a time; the lock goes with the connection.
            execute(connection, "SELECT pg_advisory_lock(hashtextextended('weighbridge.migrate', 0))");
            done.addAll(new Roles(connection).create(passwords));
            createDatabase(connection);
            migrate();
            return new Outcome(grantHistory(), List.copyOf(done));
        } catch (SQLException e) {
            throw explained(e);
        } catch (FlywayException e) {
            throw new MigrationException("the migration failed and was rolled back: " + e.getMessage(), e);
        }
    }

    private static void requireFit(Connection connection) throws SQLException {
        int version = connection.getMetaData().getDatabaseMajorVersion();
        if (version < OLDEST_SERVER) {
            throw new MigrationException(
                    "the ledger needs PostgreSQL " + OLDEST_SERVER + " or newer, and this server is "
                            + connection.getMetaData().getDatabaseProductVersion(),
                    null);
        }
        requireNoPreparedTransactions(text(connection, "SELECT current_setting('max_prepared_transactions')"));
    }

    static void requireNoPreparedTransactions(String limit) {
        if (!"0".equals(limit)) {
            throw new MigrationException(
                    "max_prepared_transactions is " + limit + " and must be 0: a forgotten prepared transaction would"
                            + " hold the feed back for ever",
                    null);
        }
    }

    private void createDatabase(Connection connection) throws SQLException {
        if (!exists(connection, "SELECT 1 FROM pg_database WHERE datname = ?", database)) {
            execute(
                    connection,
                    "CREATE DATABASE " + database + " OWNER " + Roles.OWNER + " TEMPLATE template0 ENCODING 'UTF8'"
                            + " LC_COLLATE 'C' LC_CTYPE 'C' LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8'");
            done.add("created database " + database);
        }
        if (!exists(
                connection,
                "SELECT 1 FROM pg_database WHERE datname = ? AND pg_encoding_to_char(encoding) = 'UTF8'",
                database)) {
            throw new MigrationException("the database " + database + " exists with another encoding than UTF8", null);
        }
        execute(connection, "REVOKE ALL ON DATABASE " + database + " FROM PUBLIC");
        execute(connection, "GRANT ALL ON DATABASE " + database + " TO " + Roles.OWNER);
        for (Writer writer : Writer.values()) {
            execute(connection, "REVOKE ALL ON DATABASE " + database + " FROM " + Roles.login(writer));
            execute(connection, "GRANT CONNECT ON DATABASE " + database + " TO " + Roles.login(writer));
        }
    }

    private void migrate() {
        MigrateResult result = Flyway.configure(Migration.class.getClassLoader())
                .dataSource(dataSource(admin.url(), database))
                .locations("classpath:db/migration")
                .initSql("SET ROLE " + Roles.OWNER)
                .defaultSchema(SchemaVersion.HISTORY_SCHEMA)
                .createSchemas(true)
                .connectRetries(3)
                .load()
                .migrate();
        for (MigrateOutput migration : result.migrations) {
            done.add("applied V" + migration.version + " " + migration.description);
        }
    }

    /** Services check the version, so they may read it. */
    private int grantHistory() throws SQLException {
        try (Connection connection = connect(admin.url(), database)) {
            execute(connection, "SET ROLE " + Roles.OWNER);
            for (Writer writer : Writer.values()) {
                execute(
                        connection,
                        "GRANT USAGE ON SCHEMA " + SchemaVersion.HISTORY_SCHEMA + " TO " + Roles.login(writer));
                execute(connection, "GRANT SELECT ON " + SchemaVersion.HISTORY + " TO " + Roles.login(writer));
            }
            return Integer.parseInt(
                    text(connection, "SELECT max(version::int) FROM " + SchemaVersion.HISTORY + " WHERE success"));
        }
    }

    private Connection connect(String url, @Nullable String name) throws SQLException {
        return dataSource(url, name).getConnection();
    }

    private PGSimpleDataSource dataSource(String url, @Nullable String name) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(url);
        if (name != null) {
            source.setDatabaseName(name);
        }
        source.setUser(admin.user());
        source.setPassword(admin.password());
        source.setConnectTimeout(CONNECT_TIMEOUT_S);
        source.setApplicationName("weighbridge-migrate");
        return source;
    }

    private MigrationException explained(SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        String reason = switch (state) {
            case "28P01", "28000" -> "the server refuses user " + admin.user() + " with this password";
            case "42501" ->
                "user " + admin.user() + " may not do that; it must be a superuser or have CREATEROLE and"
                        + " CREATEDB";
            case "3D000" ->
                "the database in " + admin.url() + " does not exist; name one that does, such as" + " postgres";
            case "08001", "08004", "08006" -> "the server in " + admin.url() + " cannot be reached";
            default -> "the server refused";
        };
        return new MigrationException(reason + ": " + e.getMessage(), e);
    }

    private static boolean exists(Connection connection, String sql, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    private static String text(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
