package io.weighbridge.lease;

import io.weighbridge.ledger.http.HttpEdge;
import io.weighbridge.ledger.http.security.BearerTokens;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.http.security.TokenFile;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.store.Writer;
import io.weighbridge.testkit.TestLedger;
import io.weighbridge.wire.AcquireLease;
import io.weighbridge.wire.AcquiredLease;
import io.weighbridge.wire.ProblemBody;
import io.weighbridge.wire.WireJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.json.JsonMapper;

/** A running lease-service on a real ledger, callers with credentials, and rows that metadata-service would write. */
public final class LeaseWorld implements AutoCloseable {

    public static final JsonMapper JSON = WireJson.newMapper();

    /** Who calls, by the token that it sends; null: nobody in particular, on loopback. */
    public enum As {
        LOCAL(null, "local"),
        ALICE("acme", "alice", Scope.WEIGHTS_READ, Scope.OBJECTS_READ),
        BOB("acme", "bob", Scope.WEIGHTS_READ, Scope.OBJECTS_READ),
        ADMIN("acme", "admin", Scope.WEIGHTS_ADMIN),
        STRANGER("globex", "stranger", Scope.WEIGHTS_ADMIN, Scope.OBJECTS_READ),
        NOBODY("acme", "nobody", Scope.UPDATES_OPERATE),
        AGENT(null, "node/a", Scope.NODES_AGENT),
        OTHER_AGENT(null, "node/b", Scope.NODES_AGENT),
        SERVICE(null, "service/reconciliation", Scope.LEDGER_INTERNAL);

        private final @Nullable String tenant;
        private final String subject;
        private final List<Scope> scopes;
        private final String token = BearerTokens.newToken();

        As(@Nullable String tenant, String subject, Scope... scopes) {
            this.tenant = tenant;
            this.subject = subject;
            this.scopes = List.of(scopes);
        }

        public String token() {
            return token;
        }

        public String subject() {
            return subject;
        }
    }

    /** One HTTP answer. */
    public record Answer(int status, String body, String contentType) {

        public <T> T as(Class<T> type) {
            return JSON.readValue(body, type);
        }

        public ProblemBody problem() {
            return as(ProblemBody.class);
        }
    }

    private static final AtomicLong NUMBERS = new AtomicLong();

    private final TestLedger ledger;
    private final ConfigurableApplicationContext service;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    private LeaseWorld(TestLedger ledger, ConfigurableApplicationContext service) {
        this.ledger = ledger;
        this.service = service;
    }

    /** @param properties further ones, {@code name=value} */
    public static LeaseWorld start(TestLedger ledger, Path files, String... properties) {
        List<TokenFile.Entry> callers = new ArrayList<>();
        for (As as : As.values()) {
            if (as != As.LOCAL) {
                callers.add(TokenFile.Entry.of(as.token, as.subject, as.tenant, as.scopes.toArray(Scope[]::new)));
            }
        }
        Path tokens = files.resolve("tokens-" + NUMBERS.incrementAndGet() + ".json");
        try {
            TokenFile.write(tokens, callers);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> arguments = new ArrayList<>();
        ledger.properties(Writer.LEASE).forEach((name, value) -> arguments.add("--" + name + "=" + value));
        arguments.add("--server.port=0");
        arguments.add("--weighbridge.security.peer-token-file=" + tokens);
        for (String property : properties) {
            arguments.add("--" + property);
        }
        return new LeaseWorld(ledger, LeaseService.builder().run(arguments.toArray(String[]::new)));
    }

    public <T> T bean(Class<T> type) {
        return service.getBean(type);
    }

    public int port() {
        return HttpEdge.port(service);
    }

    @Override
    public void close() {
        client.close();
        service.close();
    }

    /** Sends a request. Headers are names and values in turn. */
    public CompletableFuture<Answer> send(As as, String method, String path, @Nullable Object body, String... headers) {
        HttpRequest.BodyPublisher bytes = body == null
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofString(
                        body instanceof String text ? text : JSON.writeValueAsString(body));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(Duration.ofSeconds(30))
                .method(method, bytes);
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        if (as != As.LOCAL) {
            request.header("Authorization", "Bearer " + as.token);
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
                .thenApply(answer -> new Answer(
                        answer.statusCode(),
                        answer.body(),
                        answer.headers().firstValue("Content-Type").orElse("")));
    }

    public Answer get(As as, String path) {
        return send(as, "GET", path, null).join();
    }

    public Answer post(As as, String path, Object body, String... headers) {
        return send(as, "POST", path, body, headers).join();
    }

    public CompletableFuture<Answer> acquiring(As as, RevisionId revision, String holder, long ttlMs, String ifMatch) {
        return send(
                as,
                "POST",
                "/v1/revisions/" + revision + "/leases",
                new AcquireLease(holder, ttlMs),
                "If-Match",
                ifMatch);
    }

    public Answer acquire(As as, RevisionId revision, String holder, long ttlMs, String ifMatch) {
        return acquiring(as, revision, holder, ttlMs, ifMatch).join();
    }

    public AcquiredLease acquired(As as, RevisionId revision, String holder, long ttlMs) {
        Answer answer = acquire(as, revision, holder, ttlMs, "*");
        if (answer.status() > 201) {
            throw new AssertionError(answer.toString());
        }
        return answer.as(AcquiredLease.class);
    }

    public Answer renew(As as, UUID lease, String token, long ttlMs) {
        return post(as, "/v1/leases/" + lease + "/renew", "{\"ttl_ms\":" + ttlMs + "}", "Lease-Token", token);
    }

    public Answer release(As as, UUID lease, @Nullable String token) {
        String path = "/v1/leases/" + lease;
        return (token == null ? send(as, "DELETE", path, null) : send(as, "DELETE", path, null, "Lease-Token", token))
                .join();
    }

    /** A READY revision at generation 2 of tenant {@code acme}, with a name of its own. */
    public RevisionId revision() {
        return revision("acme", "READY");
    }

    /** A revision at generation 2 with a name of its own. */
    public RevisionId revision(String tenant, String availability) {
        RevisionIdentity identity =
                new RevisionIdentity(tenant, "production", "llama", "step-" + NUMBERS.incrementAndGet(), 1);
        boolean importing = availability.equals("IMPORTING");
        String residency = switch (availability) {
            case "IMPORTING" -> "UNKNOWN";
            case "DELETED" -> "ABSENT";
            default -> "HOT";
        };
        ledger.sql(
                """
                INSERT INTO metadata.revision (revision_id, tenant_id, namespace, resource_id, revision,
                       weight_generation, namespace_hash, resource_hash, expected_payload_count,
                       expected_logical_bytes, payload_group_id, manifest_key, manifest_sha256, payload_keys_sha256,
                       payload_count, logical_bytes, commit_fence, availability, residency, operation,
                       metadata_generation, labels, memory_replicas, cold_replicas, last_residency_target,
                       import_token_hash, import_subject, created_at, updated_at, committed_at)
                SELECT ?, ?, ?, ?, ?, 1, repeat('0', 64), repeat('0', 64), 1, 10, ?, ?, m.sha, m.sha,
                       m.one, m.one, m.one, ?, ?, 'NONE', 2, '{"step": "1"}', 1, 0, 'HOT', 'x', 'alice',
                       now() - interval '1 hour', date_trunc('milliseconds', now() - interval '1 hour') + interval '1 s',
                       CASE WHEN m.one IS NULL THEN NULL ELSE now() END
                  FROM (SELECT CASE WHEN ? THEN NULL ELSE repeat('a', 64) END AS sha,
                               CASE WHEN ? THEN NULL ELSE 1 END AS one) m
                """,
                identity.id().hex(),
                tenant,
                identity.namespace(),
                identity.resourceId(),
                identity.revision(),
                identity.payloadGroupId(),
                identity.manifestKey(),
                availability,
                residency,
                importing,
                importing);
        return identity.id();
    }

    /** A node with one mounted memory segment. */
    public UUID node(String url, String subject) {
        UUID node = UUID.randomUUID();
        ledger.sql("""
                INSERT INTO metadata.node (node_id, agent_incarnation, url, labels, host_boot_id, state, subject,
                                           node_version, registered_at)
                VALUES (?, ?, ?, '{}', 'boot', 'LIVE', ?, 1, now())
                """, node, UUID.randomUUID(), url, subject);
        ledger.sql("""
                INSERT INTO metadata.segment (segment_id, node_id, tier, arena_id, state, segment_epoch, capacity,
                                              used_bytes)
                VALUES (?, ?, 'MEMORY', ?, 'MOUNTED', 3, 1000000, 0)
                """, node, node, UUID.randomUUID());
        return node;
    }

    /** A COMPLETE object with a copy on the segment of each of these nodes; answers its object id. */
    public String object(String tenant, String key, @Nullable RevisionId revision, UUID... nodes) {
        String id = CanonicalKeys.objectId(tenant, key);
        ledger.sql("""
                INSERT INTO metadata.object (object_id, tenant_id, key, size, type, group_id, revision_id,
                                             object_version, digest, pin, created_at, committed_at, last_access)
                VALUES (?, ?, ?, 42, 'GENERAL', NULL, nullif(?, ''), 9, repeat('b', 64), 'NONE', now(), now(), now())
                """, id, tenant, key, revision == null ? "" : revision.hex());
        for (UUID node : nodes) {
            ledger.sql("""
                    INSERT INTO metadata.replica (replica_id, object_id, put_id, node_id, segment_id, segment_epoch,
                                                  tier, size, state, created_at)
                    VALUES (?, ?, ?, ?, ?, 3, 'MEMORY', 42, 'COMPLETE', now())
                    """, UUID.randomUUID(), id, UUID.randomUUID(), node, node);
        }
        return id;
    }

    /** Waits, at most ten seconds, until something is so. */
    public static void await(String what, BooleanSupplier so) {
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (!so.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not in ten seconds: " + what);
            }
            Thread.onSpinWait();
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }
}
