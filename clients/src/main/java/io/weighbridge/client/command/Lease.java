package io.weighbridge.client.command;

import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.client.terminal.Table;
import io.weighbridge.client.weights.HeldLease;
import io.weighbridge.wire.LeasePage;
import io.weighbridge.wire.LeaseView;
import io.weighbridge.wire.RevisionView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows a revision's leases, or holds one until it is interrupted. */
@Command(name = "lease", description = "Show a revision's leases, or hold one until interrupted.")
final class Lease implements Callable<Integer> {

    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private RevisionSelector selector = new RevisionSelector();

    @Option(names = "--hold", description = "Acquire a lease, renew it, and return it at the end.")
    private boolean hold;

    @Option(names = "--holder", paramLabel = "TEXT", description = "Names this reader (default: random).")
    private @Nullable String holder;

    @Option(names = "--ttl", paramLabel = "SECONDS", defaultValue = "30", description = "Default: 30.")
    private long ttlSeconds;

    @Option(names = "--for", paramLabel = "SECONDS", description = "Hold it this long (default: until interrupted).")
    private @Nullable Long holdSeconds;

    @Override
    public Integer call() {
        GatewayClient client = connection.client();
        RevisionView revision = selector.find(client);
        if (hold) {
            return hold(client, revision);
        }
        List<LeaseView> leases = new ArrayList<>();
        ListRevisions.pages(
                token -> client.leases(revision.revisionId(), token),
                page -> leases.addAll(page.leases()),
                LeasePage::nextPageToken);
        Table table = Table.of("LEASE", "HOLDER", "EXPIRES", "GENERATION");
        leases.forEach(lease ->
                table.row(lease.leaseId(), lease.holder(), lease.expiresAt(), lease.fencedMetadataGeneration()));
        connection.print(leases, leases.isEmpty() ? "No leases." : table);
        return 0;
    }

    private int hold(GatewayClient client, RevisionView revision) {
        String name = holder == null ? "cli-" + UUID.randomUUID() : holder;
        HeldLease lease = HeldLease.acquire(client, revision, name, Duration.ofSeconds(ttlSeconds));
        Thread atExit = new Thread(lease::close);
        Runtime.getRuntime().addShutdownHook(atExit);
        connection.print(
                Map.of("lease_id", lease.leaseId(), "holder", name),
                "Holding lease " + lease.leaseId() + " as " + name + "; interrupt to return it.");
        long until = holdSeconds == null ? Long.MAX_VALUE : System.nanoTime() + holdSeconds * 1_000_000_000L;
        while (holdSeconds == null || System.nanoTime() - until < 0) {
            lease.requireHeld();
            Revisions.pause();
        }
        Runtime.getRuntime().removeShutdownHook(atExit);
        lease.close();
        return 0;
    }
}
