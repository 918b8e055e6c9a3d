package io.weighbridge.testkit;

import io.weighbridge.ledger.store.embedded.EmbeddedPostgresql;
import io.weighbridge.ledger.store.migrate.Migration;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * The one PostgreSQL server of a test run: one that is given, one in a container, or an embedded one. A migrated
 * template on it makes fresh databases cheap.
 */
final class TestServer {

    static final Migration.Passwords PASSWORDS =
            new Migration.Passwords("test-metadata", "test-lease", "test-reconciliation");

    private static final String PREFIX = "jdbc:postgresql://";
    private static final String CONTAINER_IMAGE = "postgres:17";

    private static @Nullable TestServer running;

    private final String hostAndPort;
    private final Migration.Admin admin;
    private final String template;

    private TestServer(Migration.Admin admin) {
        this.admin = admin;
        this.hostAndPort = admin.url().substring(PREFIX.length(), admin.url().lastIndexOf('/'));
        this.template = "weighbridge_template_" + shortName();
    }

    /** Starts it with the first test that needs it; it stops with the virtual machine. */
    static synchronized TestServer get() {
        if (running == null) {
            TestServer server = new TestServer(
                    given().orElseGet(() -> "container".equals(property("", "embedded")) ? container() : embedded()));
            new Migration(server.admin, server.template, PASSWORDS).run();
            Runtime.getRuntime().addShutdownHook(new Thread(server::dropTemplate, "test-template-drop"));
            running = server;
        }
        return running;
    }

    private static Optional<Migration.Admin> given() {
        String url = property(".url", "");
        if (url.isEmpty()) {
            return Optional.empty();
        }
        if (!url.startsWith(PREFIX) || url.indexOf('/', PREFIX.length()) < 0) {
            throw new IllegalArgumentException("the test server's url must look like " + PREFIX + "host:port/postgres");
        }
        return Optional.of(new Migration.Admin(url, property(".user", "postgres"), property(".password", "")));
    }

    /** {@code -Dweighbridge.test.postgres.url} or {@code WEIGHBRIDGE_TEST_POSTGRES_URL}, and so on. */
    private static String property(String name, String otherwise) {
        String key = "weighbridge.test.postgres" + name;
        String value = System.getProperty(key);
        if (value == null) {
            value = System.getenv(key.toUpperCase(java.util.Locale.ROOT).replace('.', '_'));
        }
        return value == null ? otherwise : value;
    }

    private static Migration.Admin embedded() {
        EmbeddedPostgresql server = EmbeddedPostgresql.temporary().closeAtExit();
        return new Migration.Admin(server.jdbcUrl("postgres"), server.adminUser(), server.adminPassword());
    }

    /** It is removed by the library when the virtual machine ends. */
    @SuppressWarnings("resource")
    private static Migration.Admin container() {
        PostgreSQLContainer container = new PostgreSQLContainer(CONTAINER_IMAGE)
                .withDatabaseName("postgres")
                .withUsername("postgres")
                .withPassword("postgres")
                // The library's own command turns fsync off.
                .withCommand("postgres", "-c", "fsync=on", "-c", "max_connections=200");
        container.start();
        String url = PREFIX + container.getHost() + ":" + container.getFirstMappedPort() + "/postgres";
        return new Migration.Admin(url, "postgres", "postgres");
    }

    String jdbcUrl(String database) {
        return PREFIX + hostAndPort + "/" + database;
    }

    String r2dbcUrl(String database) {
        return "r2dbc:postgresql://" + hostAndPort + "/" + database;
    }

    Connection superuser(String database) throws SQLException {
        return DriverManager.getConnection(jdbcUrl(database), admin.user(), admin.password());
    }

    /** A migrated database that nobody has used. */
    String createDatabase() throws SQLException {
        String name = "test_" + shortName();
        run(
                "CREATE DATABASE " + name + " OWNER weighbridge_owner TEMPLATE " + template,
                "REVOKE ALL ON DATABASE " + name + " FROM PUBLIC",
                "GRANT CONNECT ON DATABASE " + name
                        + " TO weighbridge_metadata, weighbridge_lease, weighbridge_reconciliation");
        return name;
    }

    void dropDatabase(String name) throws SQLException {
        run("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
    }

    private void dropTemplate() {
        try {
            dropDatabase(template);
        } catch (SQLException e) {
            // An embedded server or a container may be gone already, and the template with it.
        }
    }

    private void run(String... statements) throws SQLException {
        try (Connection connection = superuser("postgres");
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static String shortName() {
        return UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    }
}
