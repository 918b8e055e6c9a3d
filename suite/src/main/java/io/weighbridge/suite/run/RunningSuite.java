package io.weighbridge.suite.run;

import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.http.security.TokenFile;
import io.weighbridge.ledger.store.Writer;
import io.weighbridge.ledger.store.embedded.EmbeddedPostgresql;
import io.weighbridge.ledger.store.migrate.Migration;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The whole suite on this host: PostgreSQL, the three services, the node agents and the gateway, all on the loopback
 * interface. Starting returns when every part listens; the gateway's {@code /readyz} tells when every part is ready.
 */
public final class RunningSuite implements AutoCloseable {

    private static final String DATABASE = "weighbridge";

    private final SuiteSettings settings;
    private final SuiteHome home;
    private final List<Part> parts = new ArrayList<>();
    private final List<Part> agents = new ArrayList<>();
    private @Nullable EmbeddedPostgresql database;
    private @Nullable Part metadata;
    private @Nullable Part lease;
    private @Nullable Part reconciliation;
    private @Nullable Part gateway;
    private boolean closed;

    private RunningSuite(SuiteSettings settings, SuiteHome home) {
        this.settings = settings;
        this.home = home;
    }

    /**
     * Starts everything, or nothing: what was started is stopped again when a part fails.
     *
     * @param told hears what is being started, for people
     */
    public static RunningSuite start(SuiteSettings settings, Consumer<String> told) throws IOException {
        RunningSuite suite = new RunningSuite(settings, SuiteHome.open(settings.data()));
        try (var starters = Executors.newVirtualThreadPerTaskExecutor()) {
            suite.start(told, starters);
            return suite;
        } catch (IOException | RuntimeException e) {
            suite.close();
            throw e;
        }
    }

    private void start(Consumer<String> told, Executor starters) throws IOException {
        told.accept("PostgreSQL");
        database = EmbeddedPostgresql.start(home.database(), 0);
        new Migration(
                        new Migration.Admin(
                                database.jdbcUrl("postgres"), database.adminUser(), database.adminPassword()),
                        DATABASE,
                        new Migration.Passwords(
                                password(Writer.METADATA), password(Writer.LEASE), password(Writer.RECONCILIATION)))
                .run();
        writePeerTokens();
        told.accept("services");
        CompletableFuture<Part> metadataStarting = async(starters, () -> start(Role.METADATA, "metadata", List.of()));
        CompletableFuture<Part> leaseStarting = async(starters, () -> start(Role.LEASE, "lease", List.of()));
        metadata = joined(metadataStarting);
        lease = joined(leaseStarting);
        told.accept("reconciliation and " + settings.nodes() + " node agents");
        CompletableFuture<Part> reconciliationStarting =
                async(starters, () -> start(Role.RECONCILIATION, "reconciliation", peers()));
        List<CompletableFuture<Part>> agentsStarting = new ArrayList<>();
        for (int i = 1; i <= settings.nodes(); i++) {
            int number = i;
            agentsStarting.add(async(starters, () -> startAgent(number)));
        }
        reconciliation = joined(reconciliationStarting);
        agentsStarting.forEach(agent -> agents.add(joined(agent)));
        told.accept("gateway");
        gateway = start(Role.GATEWAY, "gateway", gatewayArguments());
    }

    private Part startAgent(int number) {
        List<String> arguments = new ArrayList<>(peers());
        arguments.add("--weighbridge.agent.state-dir=" + home.agent(number).resolve("state"));
        arguments.add("--weighbridge.agent.disk-dir=" + home.agent(number).resolve("disk"));
        arguments.add("--weighbridge.agent.memory-bytes=" + settings.memoryBytes());
        arguments.add("--weighbridge.agent.disk-bytes=" + 8 * settings.memoryBytes());
        return start(Role.NODE, "node-" + number, arguments);
    }

    /**
     * Starts an agent again that has ended: the same node on a new port, its memory empty, its disk kept.
     *
     * @param number from 1
     */
    public Part restartAgent(int number) {
        agents.get(number - 1).close();
        Part agent = startAgent(number);
        agents.set(number - 1, agent);
        return agent;
    }

    /** Kills the database as a power failure would, and starts it again on the same port. */
    public void crashDatabase() {
        EmbeddedPostgresql running = database();
        int port = running.port();
        running.crash();
        database = EmbeddedPostgresql.start(home.database(), port);
    }

    private Part start(Role role, String name, List<String> roleArguments) {
        List<String> arguments = new ArrayList<>();
        arguments.add("--server.port=" + (role == Role.GATEWAY ? settings.gatewayPort() : 0));
        arguments.add("--weighbridge.security.peer-token-file=" + home.peerTokens());
        switch (role) {
            case METADATA -> arguments.addAll(ledger(Writer.METADATA));
            case LEASE -> arguments.addAll(ledger(Writer.LEASE));
            case RECONCILIATION -> arguments.addAll(ledger(Writer.RECONCILIATION));
            case NODE, GATEWAY -> {}
        }
        arguments.addAll(roleArguments);
        settings.extra().forEach(setting -> arguments.add("--" + setting));
        Part part = settings.processes()
                ? ChildProcess.start(role, name, home.logs(), arguments, secrets(role, name))
                : InProcess.start(role, arguments, secrets(role, name));
        synchronized (parts) {
            parts.add(part);
        }
        return part;
    }

    private List<String> ledger(Writer writer) {
        return List.of(
                "--weighbridge.ledger.url=" + database().r2dbcUrl(DATABASE),
                "--weighbridge.ledger.username=weighbridge_" + writer.schema());
    }

    private Map<String, String> secrets(Role role, String name) {
        Map<String, String> secrets = new HashMap<>();
        secrets.put("weighbridge.security.own-token", home.secret("token." + name));
        Optional<Writer> writer = switch (role) {
            case METADATA -> Optional.of(Writer.METADATA);
            case LEASE -> Optional.of(Writer.LEASE);
            case RECONCILIATION -> Optional.of(Writer.RECONCILIATION);
            case NODE, GATEWAY -> Optional.empty();
        };
        writer.ifPresent(login -> secrets.put("weighbridge.ledger.password", password(login)));
        return secrets;
    }

    private List<String> peers() {
        return List.of(
                "--weighbridge.services.metadata=" + required(metadata).url(),
                "--weighbridge.services.lease=" + required(lease).url());
    }

    private List<String> gatewayArguments() {
        List<String> arguments = new ArrayList<>(peers());
        arguments.add("--weighbridge.services.reconciliation="
                + required(reconciliation).url());
        arguments.add("--weighbridge.gateway.expected-nodes=" + settings.nodes());
        return arguments;
    }

    private String password(Writer writer) {
        return home.secret("password." + writer.schema());
    }

    private void writePeerTokens() throws IOException {
        List<TokenFile.Entry> entries = new ArrayList<>();
        for (Role role : List.of(Role.METADATA, Role.LEASE, Role.RECONCILIATION, Role.GATEWAY)) {
            String name = role.name().toLowerCase(Locale.ROOT);
            entries.add(
                    TokenFile.Entry.of(home.secret("token." + name), "service/" + name, null, Scope.LEDGER_INTERNAL));
        }
        for (int i = 1; i <= settings.nodes(); i++) {
            entries.add(TokenFile.Entry.of(home.secret("token.node-" + i), "node/" + i, null, Scope.NODES_AGENT));
        }
        TokenFile.write(home.peerTokens(), entries);
        home.saveSecrets();
    }

    /** The gateway's base URL, which is the suite's. */
    public String gatewayUrl() {
        return required(gateway).url();
    }

    public EmbeddedPostgresql database() {
        return required(database);
    }

    public Part metadata() {
        return required(metadata);
    }

    public Part lease() {
        return required(lease);
    }

    public Part reconciliation() {
        return required(reconciliation);
    }

    /** Everything that was started, in that order. */
    List<Part> parts() {
        synchronized (parts) {
            return List.copyOf(parts);
        }
    }

    /** The agents in the order of their numbers, from 1. */
    public List<Part> agents() {
        return List.copyOf(agents);
    }

    /** Stops the gateway first and the database last; does nothing when stopped already. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        List<Part> inOrder;
        synchronized (parts) {
            inOrder = new ArrayList<>(parts).reversed();
        }
        try (var stoppers = Executors.newVirtualThreadPerTaskExecutor()) {
            // Agents and the reconciler stop together: each waits for its own work only.
            inOrder.forEach(part -> stoppers.execute(part::close));
        }
        if (database != null) {
            database.close();
        }
        home.close();
    }

    private static <T> T required(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("this part of the suite has not started");
        }
        return part;
    }

    private static <T> CompletableFuture<T> async(Executor executor, Supplier<T> starting) {
        return CompletableFuture.supplyAsync(starting, executor);
    }

    private static <T> T joined(CompletableFuture<T> starting) {
        try {
            return starting.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
