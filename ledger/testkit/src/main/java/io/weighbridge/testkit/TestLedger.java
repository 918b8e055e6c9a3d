package io.weighbridge.testkit;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactory;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.LedgerSettings;
import io.weighbridge.ledger.store.LedgerStore;
import io.weighbridge.ledger.store.Writer;
import io.weighbridge.ledger.store.feed.Feed;
import io.weighbridge.ledger.store.migrate.Migration;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A migrated ledger database of a test class's own, on the one PostgreSQL server of the test run.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final TestLedger LEDGER = TestLedger.perClass();
 * }</pre>
 *
 * <p>The server is an embedded one that keeps what it acknowledges, unless {@code weighbridge.test.postgres.url} names
 * another or {@code weighbridge.test.postgres=container} asks for one in a container (also as environment variables).
 */
public final class TestLedger implements BeforeAllCallback, AfterAllCallback, AutoCloseable {

    private static final int CONNECTIONS = 8;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private int users;
    private @Nullable String database;

    private TestLedger() {}

    /** As an extension: the database is made before the class's first test and dropped after its last. */
    public static TestLedger perClass() {
        return new TestLedger();
    }

    /** Without the extension: made now, dropped by {@link #close()}. */
    public static TestLedger open() {
        TestLedger ledger = new TestLedger();
        ledger.enter();
        return ledger;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        enter();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close();
    }

    private synchronized void enter() {
        // Nested classes enter once more.
        users++;
        if (database == null) {
            try {
                database = TestServer.get().createDatabase();
            } catch (SQLException e) {
                throw new IllegalStateException("cannot make a database for this test", e);
            }
        }
    }

    @Override
    public synchronized void close() {
        users--;
        if (users > 0) {
            return;
        }
        try {
            for (AutoCloseable resource : opened.reversed()) {
                resource.close();
            }
            TestServer.get().dropDatabase(database());
        } catch (Exception e) {
            throw new IllegalStateException("cannot clean up after this test", e);
        } finally {
            opened.clear();
            database = null;
        }
    }

    /** The database's name. */
    public String database() {
        if (database == null) {
            throw new IllegalStateException(
                    "no database yet: register this TestLedger as a static field with @RegisterExtension");
        }
        return database;
    }

    /** {@code r2dbc:postgresql://host:port/database}, without credentials. */
    public String r2dbcUrl() {
        return TestServer.get().r2dbcUrl(database());
    }

    /** {@code jdbc:postgresql://host:port/database}, without credentials. */
    public String jdbcUrl() {
        return TestServer.get().jdbcUrl(database());
    }

    /** The login of a service. */
    public String username(Writer writer) {
        return Migration.login(writer);
    }

    /** The password of a service's login. */
    public String password(Writer writer) {
        return TestServer.PASSWORDS.of(writer);
    }

    /** What a service reads from its configuration. */
    public Map<String, String> properties(Writer writer) {
        return Map.of(
                "weighbridge.ledger.url", r2dbcUrl(),
                "weighbridge.ledger.username", username(writer),
                "weighbridge.ledger.password", password(writer));
    }

    /** The same as an object. */
    public LedgerSettings settings(Writer writer) {
        return new LedgerSettings(
                r2dbcUrl(),
                username(writer),
                password(writer),
                CONNECTIONS,
                Duration.ofSeconds(2),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                false);
    }

    /** Connections as a service's login, outside any pool. */
    public ConnectionFactory connections(Writer writer) {
        return LedgerStore.connections(settings(writer));
    }

    /** A ledger as a service has it; it is closed with the database. */
    public Ledger ledger(Writer writer) {
        return new Ledger(writer, pool(writer), pool(writer), settings(writer), () -> {});
    }

    /** A feed as a service has it, without notifications: it polls. It is closed with the database. */
    public synchronized Feed feed(Writer writer) {
        Feed feed = new Feed(pool(writer), connections(writer));
        opened.add(feed);
        return feed;
    }

    private synchronized ConnectionPool pool(Writer writer) {
        ConnectionPool pool = new ConnectionPool(ConnectionPoolConfiguration.builder(connections(writer))
                .initialSize(0)
                .maxSize(CONNECTIONS)
                .maxAcquireTime(Duration.ofSeconds(10))
                .build());
        opened.add(pool::dispose);
        return pool;
    }

    /** A connection of the superuser, to arrange and to look around the code under test. */
    public Connection superuser() throws SQLException {
        return TestServer.get().superuser(database());
    }

    /** Runs a statement as the superuser and commits it; {@code ?} marks a value. Answers the number of rows. */
    public int sql(String sql, Object... values) {
        try (Connection connection = superuser();
                PreparedStatement statement = prepare(connection, sql, values)) {
            statement.execute();
            return Math.max(statement.getUpdateCount(), 0);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** The rows of a query as the superuser; {@code ?} marks a value. */
    public List<Map<String, @Nullable Object>> rows(String sql, Object... values) {
        try (Connection connection = superuser();
                PreparedStatement statement = prepare(connection, sql, values);
                ResultSet rows = statement.executeQuery()) {
            ResultSetMetaData columns = rows.getMetaData();
            List<Map<String, @Nullable Object>> all = new ArrayList<>();
            while (rows.next()) {
                Map<String, @Nullable Object> row = new LinkedHashMap<>();
                for (int i = 1; i <= columns.getColumnCount(); i++) {
                    row.put(columns.getColumnLabel(i), rows.getObject(i));
                }
                all.add(row);
            }
            return all;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }
}
