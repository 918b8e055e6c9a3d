package io.weighbridge.ledger.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresqlIT {

    @TempDir
    Path directory;

    @Test
    void isDurablePrivateAndGoneAfterwards() throws SQLException {
        EmbeddedPostgresql server = EmbeddedPostgresql.temporary();
        try (server) {
            assertThat(setting(server, "fsync")).isEqualTo("on");
            assertThat(setting(server, "synchronous_commit")).isEqualTo("on");
            assertThat(setting(server, "full_page_writes")).isEqualTo("on");
            assertThat(setting(server, "max_prepared_transactions")).isEqualTo("0");
            assertThat(setting(server, "listen_addresses")).isEqualTo("127.0.0.1");
            assertThatThrownBy(() -> DriverManager.getConnection(server.jdbcUrl("postgres"), "postgres", "guess"))
                    .hasMessageContaining("password authentication failed");
        }
        assertThat(server.directory()).doesNotExist();
        assertThatThrownBy(() -> connect(server)).isInstanceOf(SQLException.class);
    }

    @Test
    void keepsItsDataOverACrashAndAStalePidFile() throws SQLException, IOException {
        EmbeddedPostgresql first = EmbeddedPostgresql.start(directory, 0);
        run(first, "CREATE TABLE kept AS SELECT 42 AS answer");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(directory.resolve("superuser-password"))))
                .isEqualTo("rw-------");
        first.crash();
        // The number of a process that lives, and is another one: PostgreSQL itself would refuse to start.
        Path pidFile = directory.resolve("data/postmaster.pid");
        String content = Files.readString(pidFile);
        Files.writeString(pidFile, ProcessHandle.current().pid() + content.substring(content.indexOf('\n')));

        try (EmbeddedPostgresql second = EmbeddedPostgresql.start(directory, first.port())) {
            assertThat(second.port()).isEqualTo(first.port());
            try (Connection connection = connect(second);
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT answer FROM kept")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isEqualTo(42);
            }
        }
    }

    @Test
    void refusesADirectoryThatIsInUse() {
        try (EmbeddedPostgresql server = EmbeddedPostgresql.start(directory, 0)) {
            assertThatThrownBy(() -> EmbeddedPostgresql.start(directory, 0))
                    .isInstanceOf(EmbeddedPostgresqlException.class)
                    .hasMessageContaining("another process uses the ledger");
            assertThat(server.port()).isPositive();
        }
    }

    @Test
    void beginsAgainWhereAFirstStartWasCutOff() throws IOException, SQLException {
        Files.writeString(directory.resolve("superuser-password"), "half-way\n");
        Files.createDirectories(directory.resolve("data/base"));
        Files.writeString(directory.resolve("data/PG_VERSION"), "18\n");
        try (EmbeddedPostgresql server = EmbeddedPostgresql.start(directory, 0)) {
            assertThat(server.adminPassword()).isEqualTo("half-way");
            assertThat(setting(server, "fsync")).isEqualTo("on");
        }
    }

    @Test
    void tellsWhyItDidNotStart() throws IOException {
        try (EmbeddedPostgresql server = EmbeddedPostgresql.start(directory, 0)) {
            assertThat(server.port()).isPositive();
        }
        Files.writeString(directory.resolve("data/postgresql.conf"), "nonsense = on\n");
        assertThatThrownBy(() -> EmbeddedPostgresql.start(directory, 0, java.time.Duration.ofSeconds(2)))
                .isInstanceOf(EmbeddedPostgresqlException.class)
                .hasMessageContaining("unrecognized configuration parameter \"nonsense\"");
    }

    @Test
    void leavesNoProcessBehind() throws IOException {
        EmbeddedPostgresql server = EmbeddedPostgresql.start(directory, 0);
        Path data = directory.toRealPath().resolve("data");
        assertThat(ServerProcesses.of(data)).isNotEmpty();
        server.close();
        server.close();
        try (Stream<ProcessHandle> left = ServerProcesses.of(data).stream()) {
            assertThat(left).isEmpty();
        }
    }

    private static String setting(EmbeddedPostgresql server, String name) throws SQLException {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW " + name)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static void run(EmbeddedPostgresql server, String sql) throws SQLException {
        try (Connection connection = connect(server);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Connection connect(EmbeddedPostgresql server) throws SQLException {
        return DriverManager.getConnection(server.jdbcUrl("postgres"), server.adminUser(), server.adminPassword());
    }
}
