package io.weighbridge.ledger.store.embedded;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A PostgreSQL server of this process's own. It listens on the loopback interface only, asks for passwords, and keeps
 * what it acknowledged: the library's own settings would not.
 *
 * <p>It runs as root too, in a user namespace, where the machine allows one.
 */
public final class EmbeddedPostgresql implements AutoCloseable {

    private static final String LOOPBACK = "127.0.0.1";
    private static final String SUPERUSER = "postgres";
    private static final Duration START_LIMIT = Duration.ofSeconds(90);

    /** A later {@code -c} wins over the library's {@code -F}, which turns fsync off. */
    private static final Map<String, String> DURABLE = Map.of(
            "fsync", "on", "synchronous_commit", "on", "full_page_writes", "on", "max_prepared_transactions", "0");

    private static final Map<String, String> MODEST = Map.of(
            "listen_addresses", LOOPBACK,
            "unix_socket_directories", "",
            "max_connections", "200",
            "shared_buffers", "128MB",
            "password_encryption", "scram-sha-256",
            "TimeZone", "UTC",
            "log_timezone", "UTC");

    private final ServerHome home;
    private final EmbeddedPostgres server;
    private final String password;
    private final AtomicBoolean closed = new AtomicBoolean();

    private EmbeddedPostgresql(ServerHome home, EmbeddedPostgres server, String password) {
        this.home = home;
        this.server = server;
        this.password = password;
    }

    /**
     * Starts a server whose data stays: the same directory gives the same ledger again, also after this process or the
     * machine was killed.
     *
     * @param directory made when missing; used by one process at a time
     * @param port 0 for a free one
     * @throws EmbeddedPostgresqlException with the reason and what to do
     */
    public static EmbeddedPostgresql start(Path directory, int port) {
        return start(directory, port, START_LIMIT);
    }

    static EmbeddedPostgresql start(Path directory, int port, Duration limit) {
        try {
            return start(ServerHome.kept(directory), port, limit);
        } catch (IOException e) {
            throw new EmbeddedPostgresqlException("cannot use " + directory + ": " + e, e);
        }
    }

    /** Starts a server on a free port whose data disappears with {@link #close()}. */
    public static EmbeddedPostgresql temporary() {
        try {
            return start(ServerHome.temporary(), 0, START_LIMIT);
        } catch (IOException e) {
            throw new EmbeddedPostgresqlException("cannot make a temporary data directory: " + e, e);
        }
    }

    private static EmbeddedPostgresql start(ServerHome home, int port, Duration limit) throws IOException {
        try {
            refuseWhereRootCannot();
            ServerProcesses.stop(home.data());
            home.removeUnfinished();
            return run(home, port, limit);
        } catch (IOException | RuntimeException e) {
            ServerProcesses.kill(home.data());
            home.close();
            throw e;
        }
    }

    private static EmbeddedPostgresql run(ServerHome home, int port, Duration limit) {
        try {
            String password = home.password();
            EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                    .setDataDirectory(home.data())
                    .setCleanDataDirectory(false)
                    .setRegisterShutdownHook(false)
                    .setPGStartupWait(limit)
                    .setConnectConfig("password", password)
                    .setOutputRedirector(
                            ProcessBuilder.Redirect.appendTo(home.log().toFile()))
                    .setErrorRedirector(
                            ProcessBuilder.Redirect.appendTo(home.log().toFile()))
                    // These reach initdb as they are: a later --auth wins over the library's "trust".
                    .setLocaleConfig("locale", "C")
                    .setLocaleConfig("auth", "scram-sha-256")
                    .setLocaleConfig("pwfile", home.passwordFile().toString());
            if (port != 0) {
                builder.setPort(port);
            }
            MODEST.forEach(builder::setServerConfig);
            DURABLE.forEach(builder::setServerConfig);
            EmbeddedPostgres server = builder.start();
            home.markComplete();
            return new EmbeddedPostgresql(home, server, password);
        } catch (IOException | RuntimeException e) {
            throw new EmbeddedPostgresqlException(
                    "PostgreSQL did not start; the end of its log:\n" + home.logTail(), e);
        }
    }

    /** PostgreSQL refuses to run as root, and the way around it is a user namespace. */
    private static void refuseWhereRootCannot() throws IOException {
        Path self = Path.of("/proc/self");
        if (Files.exists(self) && Files.getAttribute(self, "unix:uid").equals(0) && !LinuxUtils.isUnshareAvailable()) {
            throw new EmbeddedPostgresqlException(
                    "PostgreSQL does not run as root, and this machine allows no user namespaces (unshare -U fails)."
                            + " Run as another user, allow user namespaces, or use a PostgreSQL server of your own.",
                    null);
        }
    }

    /** Where the server's data and log are. */
    public Path directory() {
        return home.directory();
    }

    public int port() {
        return server.getPort();
    }

    public String jdbcUrl(String database) {
        return "jdbc:postgresql://" + LOOPBACK + ":" + port() + "/" + database;
    }

    public String r2dbcUrl(String database) {
        return "r2dbc:postgresql://" + LOOPBACK + ":" + port() + "/" + database;
    }

    /** The superuser's name. */
    public String adminUser() {
        return SUPERUSER;
    }

    public String adminPassword() {
        return password;
    }

    /** The server's processes now, for faults that are more than {@link #crash()}. */
    public List<ProcessHandle> processes() {
        return ServerProcesses.of(home.data());
    }

    /** Also stops when the virtual machine ends. The suite does not use it: it stops its services first. */
    public EmbeddedPostgresql closeAtExit() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "embedded-postgresql-stop"));
        return this;
    }

    /** Kills the server as a power failure would. What it acknowledged is there when it is started again. */
    public void crash() {
        if (closed.compareAndSet(false, true)) {
            ServerProcesses.kill(home.data());
            closeHome();
        }
    }

    /** Stops within seconds: clients are disconnected. Does nothing when stopped already. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            server.close();
        } catch (IOException e) {
            // Told by the next line's success or failure.
        }
        ServerProcesses.kill(home.data());
        closeHome();
    }

    private void closeHome() {
        try {
            home.close();
        } catch (IOException e) {
            throw new EmbeddedPostgresqlException("cannot clean up the server's directory: " + e, e);
        }
    }
}
