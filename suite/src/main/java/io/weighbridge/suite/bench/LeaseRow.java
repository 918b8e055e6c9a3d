package io.weighbridge.suite.bench;

import io.netty.handler.codec.http.HttpMethod;
import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.client.rest.Rest;
import io.weighbridge.client.weights.Progress;
import io.weighbridge.client.weights.PublishOptions;
import io.weighbridge.client.weights.Publisher;
import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.manifest.safetensors.Checkpoint;
import io.weighbridge.suite.run.RunningSuite;
import io.weighbridge.wire.AcquireLease;
import io.weighbridge.wire.AcquireLeases;
import io.weighbridge.wire.AcquiredLease;
import io.weighbridge.wire.LeaseResults;
import io.weighbridge.wire.LeaseView;
import io.weighbridge.wire.RenewLease;
import io.weighbridge.wire.RenewLeases;
import io.weighbridge.wire.ReturnLeases;
import io.weighbridge.wire.WireJson;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * P1: acquire, renew and release of revision leases over HTTP, each durable before it is answered, against the server's
 * own trivial endpoint ({@code /healthz}, which parses and stores nothing) and against {@code pgbench} with the
 * equivalent one-statement transactions.
 */
final class LeaseRow {

    private static final int CLIENTS = 64;
    private static final int PGBENCH_CLIENTS = 16;
    private static final int BATCH = 100;
    private static final int BATCH_CLIENTS = 8;
    private static final int REVISIONS = 8;
    private static final long TTL_MS = 60_000;

    private static final List<String> EQUIVALENT = List.of("acquire.sql", "renew.sql", "release.sql");

    private final RunningSuite suite;
    private final Rounds rounds;
    private final JsonMapper json = WireJson.newMapper();

    LeaseRow(RunningSuite suite, Rounds rounds) {
        this.suite = suite;
        this.rounds = rounds;
    }

    List<Comparison> run() throws Exception {
        List<String> revisions = publish();
        try (HttpLoad load = new HttpLoad(CLIENTS);
                HttpLoad batchLoad = new HttpLoad(BATCH_CLIENTS)) {
            Map<String, Rounds.Turn> turns = new LinkedHashMap<>();
            turns.put("trivial endpoint", duration -> load.run(duration, client -> trivial(load)));
            turns.put("leases", duration -> load.run(duration, client -> cycle(load, client, revisions)));
            turns.put("batches", duration -> batchLoad.run(duration, client -> batch(batchLoad, client, revisions)));
            if (PgBench.isInstalled()) {
                PgBench peer = new PgBench(suite.database(), PGBENCH_CLIENTS);
                turns.put("pgbench", duration -> peer.run(duration, EQUIVALENT));
            }
            return comparisons(rounds.run(turns));
        }
    }

    private static List<Comparison> comparisons(Map<String, List<Double>> values) {
        Samples leases = samples("acquire, renew, release, 64 clients", "leases", values);
        Samples batches = samples("the same in batches of 100", "batches", values);
        Samples trivial = samples("trivial endpoint", "trivial endpoint", values);
        Samples pgbench = values.containsKey("pgbench") ? samples("pgbench", "pgbench", values) : null;
        return List.of(
                new Comparison("P1", leases, trivial, "trivial endpoint", 0.8),
                new Comparison("P1", leases, pgbench, "pgbench, 16 clients", 0.6),
                new Comparison("P1", batches, pgbench, "pgbench, 16 clients", 3.0));
    }

    private static Samples samples(String name, String turn, Map<String, List<Double>> values) {
        return new Samples(name, "ops/s", Objects.requireNonNull(values.get(turn)));
    }

    private List<String> publish() throws Exception {
        GatewayClient gateway = new GatewayClient(new Rest(null), suite.gatewayUrl());
        Path sample = Path.of(System.getProperty("weighbridge.home", "."), "suite", "checkpoints", "sample");
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < REVISIONS; i++) {
            RevisionIdentity identity = new RevisionIdentity("default", "bench", "sample", "step-" + i, 1);
            ids.add(new Publisher(gateway, PublishOptions.DEFAULT, Progress.SILENT)
                    .publish(identity, Checkpoint.open(sample))
                    .revisionId());
        }
        return ids;
    }

    private Mono<Long> trivial(HttpLoad load) {
        return load.send(HttpMethod.GET, suite.lease().url() + "/healthz", Map.of(), null)
                .thenReturn(1L);
    }

    private Mono<Long> cycle(HttpLoad load, int client, List<String> revisions) {
        String base = suite.lease().url() + "/v1/";
        String revision = revisions.get(client % revisions.size());
        return load.send(
                        HttpMethod.POST,
                        base + "revisions/" + revision + "/leases",
                        Map.of("If-Match", "*"),
                        json.writeValueAsString(new AcquireLease("client-" + client, TTL_MS)))
                .map(answer -> json.readValue(answer, AcquiredLease.class))
                .flatMap(lease -> {
                    String url = base + "leases/" + lease.lease().leaseId();
                    Map<String, String> token = Map.of("Lease-Token", lease.leaseToken());
                    String renewal = json.writeValueAsString(new RenewLease(TTL_MS));
                    return load.send(HttpMethod.POST, url + "/renew", token, renewal)
                            .then(load.send(HttpMethod.DELETE, url, token, null))
                            .thenReturn(3L);
                });
    }

    private Mono<Long> batch(HttpLoad load, int client, List<String> revisions) {
        List<AcquireLeases.Item> acquires = IntStream.range(0, BATCH)
                .mapToObj(i -> new AcquireLeases.Item(
                        revisions.get(i % revisions.size()), null, "batch-" + client + "-" + i, TTL_MS))
                .toList();
        return post(load, "acquire", new AcquireLeases(acquires)).flatMap(granted -> {
            List<RenewLeases.Item> renewals = granted.items().stream()
                    .map(item -> new RenewLeases.Item(view(item).leaseId(), token(item), TTL_MS))
                    .toList();
            List<ReturnLeases.Item> returns = granted.items().stream()
                    .map(item -> new ReturnLeases.Item(view(item).leaseId(), token(item)))
                    .toList();
            return post(load, "renew", new RenewLeases(renewals))
                    .then(post(load, "release", new ReturnLeases(returns)))
                    .thenReturn(3L * BATCH);
        });
    }

    private Mono<LeaseResults> post(HttpLoad load, String verb, Object body) {
        return load.send(
                        HttpMethod.POST,
                        suite.lease().url() + "/v1/leases/" + verb,
                        Map.of(),
                        json.writeValueAsString(body))
                .map(answer -> json.readValue(answer, LeaseResults.class))
                .doOnNext(results -> results.items().forEach(item -> {
                    if (item.code() != null) {
                        throw new IllegalStateException(verb + ": " + item.code() + " " + item.detail());
                    }
                }));
    }

    private static LeaseView view(LeaseResults.Item item) {
        return required(item.lease());
    }

    private static String token(LeaseResults.Item item) {
        return required(item.leaseToken());
    }

    private static <T> T required(@Nullable T value) {
        return Objects.requireNonNull(value);
    }
}
