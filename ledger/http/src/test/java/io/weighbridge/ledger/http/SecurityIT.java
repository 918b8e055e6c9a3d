package io.weighbridge.ledger.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.weighbridge.ledger.http.example.ExampleService;
import io.weighbridge.ledger.http.security.BearerTokens;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.http.security.TokenFile;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Who is let in, where (spec 5.3). */
class SecurityIT {

    @TempDir
    private Path directory;

    @Test
    void withoutCredentialsALoopbackCallerIsLocal() {
        try (var service = ExampleService.start()) {
            client(service).get().uri("/v1/whoami").exchange().expectBody().json("""
                            {"tenant":"default","subject":"local","scopes":["objects:admin","objects:read",
                             "objects:write","updates:operate","weights:admin","weights:read","weights:write"]}""");
            expect(service, "/v1/whoami?tenant_id=default", null, 200);
            expect(service, "/v1/whoami?tenant_id=other", null, 403);
            expect(service, "/v1/internal/work", null, 403);
            expect(service, "/v1/whoami", "unknown", 401);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Host, evil.example, 403",
        "Host, evil.example:80, 403",
        "Host, 127.0.0.1.evil.example, 403",
        "Host, localhost, 200",
        "Host, localhost:8080, 200",
        "Host, [::1]:8080, 200",
        "Origin, https://evil.example, 403",
        "Origin, null, 403",
        "Origin, http://localhost.evil.example, 403",
        "Origin, http://localhost:3000, 200",
        "Origin, http://127.0.0.1:8080, 200"
    })
    void aForeignPageIsKeptAway(String header, String value, int status) {
        try (var service = ExampleService.start()) {
            client(service)
                    .get()
                    .uri("/v1/whoami")
                    .header(header, value)
                    .exchange()
                    .expectStatus()
                    .isEqualTo(status);
        }
    }

    @Test
    void aListenerForStrangersNeedsCredentials() {
        assertThatThrownBy(() -> ExampleService.start("server.address=0.0.0.0"))
                .hasStackTraceContaining("strangers would need no credential");
    }

    @Test
    void staticTokensAndPeerTokens() throws Exception {
        Path tokens = directory.resolve("tokens.json");
        Path peers = directory.resolve("peers.json");
        String reader = BearerTokens.newToken();
        String operator = BearerTokens.newToken();
        String peer = BearerTokens.newToken();
        String agent = BearerTokens.newToken();
        TokenFile.write(
                tokens,
                List.of(
                        TokenFile.Entry.of(reader, "ann", "acme", Scope.WEIGHTS_READ),
                        TokenFile.Entry.of(operator, "olga", "ops", Scope.PLATFORM_ADMIN)));
        TokenFile.write(
                peers,
                List.of(
                        TokenFile.Entry.of(peer, "service/reconciliation", null, Scope.LEDGER_INTERNAL),
                        TokenFile.Entry.of(agent, "node/a", null, Scope.NODES_AGENT)));
        try (var service = ExampleService.start(
                "server.address=0.0.0.0",
                "weighbridge.security.token-file=" + tokens,
                "weighbridge.security.peer-token-file=" + peers)) {
            client(service)
                    .get()
                    .uri("/v1/whoami")
                    .headers(headers -> headers.setBearerAuth(reader))
                    .exchange()
                    .expectBody()
                    .json("{\"tenant\":\"acme\",\"subject\":\"ann\",\"scopes\":[\"weights:read\"]}");
            expect(service, "/v1/whoami", null, 401);
            expect(service, "/v1/whoami", reader + "x", 401);
            expect(service, "/v1/whoami?tenant_id=other", reader, 403);
            expect(service, "/v1/whoami?tenant_id=other", operator, 200);
            expect(service, "/v1/operators", reader, 403);
            expect(service, "/v1/operators", operator, 200);
            expect(service, "/v1/internal/work", operator, 403);
            expect(service, "/v1/internal/work", agent, 403);
            expect(service, "/v1/internal/work", peer, 200);
            expect(service, "/v1/whoami", peer, 403);
            expect(service, "/v1/whoami?tenant_id=acme", peer, 200);
            expect(service, "/healthz", null, 200);
            expect(service, "/metrics", null, 200);
        }
    }

    @Test
    void peersNeedTheirTokenOnLoopbackToo() throws Exception {
        Path peers = directory.resolve("peers.json");
        String peer = BearerTokens.newToken();
        TokenFile.write(
                peers, List.of(TokenFile.Entry.of(peer, "service/reconciliation", null, Scope.LEDGER_INTERNAL)));
        try (var service = ExampleService.start("weighbridge.security.peer-token-file=" + peers)) {
            expect(service, "/v1/whoami", null, 200);
            expect(service, "/v1/internal/work", null, 403);
            expect(service, "/v1/internal/work", peer, 200);
        }
    }

    @Test
    void aMalformedTokenFileStopsTheStart() throws Exception {
        Path tokens = directory.resolve("tokens.json");
        TokenFile.write(tokens, List.of(new TokenFile.Entry("abc", "ann", "acme", List.of(), null)));
        assertThatThrownBy(() -> ExampleService.start("weighbridge.security.token-file=" + tokens))
                .hasStackTraceContaining("token_sha256");
    }

    @Test
    void jwtsOfTheIssuer() throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).keyID("k1").generate();
        ECKey other = new ECKeyGenerator(Curve.P_256).keyID("k1").generate();
        String keys = new JWKSet(key.toPublicJWK()).toString();
        DisposableServer issuer = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle((request, response) -> response.sendString(Mono.just(keys)))
                .bindNow(Duration.ofSeconds(10));
        try (var service = ExampleService.start(
                "weighbridge.security.issuer=https://issuer.example",
                "weighbridge.security.jwk-set-uri=http://127.0.0.1:" + issuer.port() + "/keys")) {
            Instant soon = Instant.now().plusSeconds(60);
            JWTClaimsSet good = claims("https://issuer.example", soon);
            client(service)
                    .get()
                    .uri("/v1/whoami")
                    .headers(headers -> headers.setBearerAuth(signed(key, good)))
                    .exchange()
                    .expectBody()
                    .json("{\"tenant\":\"acme\",\"subject\":\"ann\",\"scopes\":[\"objects:read\",\"weights:read\"]}");
            expect(service, "/v1/whoami", signed(other, good), 401);
            expect(service, "/v1/whoami", signed(key, claims("https://other.example", soon)), 401);
            expect(service, "/v1/whoami", signed(key, claims("https://issuer.example", Instant.EPOCH)), 401);
            expect(service, "/v1/whoami", null, 401);
        } finally {
            issuer.disposeNow();
        }
    }

    private static JWTClaimsSet claims(String issuer, Instant expiry) {
        return new JWTClaimsSet.Builder()
                .issuer(issuer)
                .subject("ann")
                .claim("tenant", "acme")
                .claim("scope", "weights:read objects:read profile")
                .expirationTime(Date.from(expiry))
                .build();
    }

    private static String signed(ECKey key, JWTClaimsSet claims) {
        try {
            SignedJWT jwt = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.ES256)
                            .keyID(key.getKeyID())
                            .build(),
                    claims);
            jwt.sign(new ECDSASigner(key));
            return jwt.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void expect(
            ConfigurableApplicationContext service, String path, @Nullable String token, int status) {
        client(service)
                .get()
                .uri(URI.create("http://127.0.0.1:" + ExampleService.port(service) + path))
                .headers(headers -> {
                    if (token != null) {
                        headers.setBearerAuth(token);
                    }
                })
                .exchange()
                .expectStatus()
                .isEqualTo(status)
                .expectBody(String.class)
                .value(body -> {
                    if (status >= 400) {
                        assertThat(body).contains(status == 401 ? "UNAUTHENTICATED" : "PERMISSION_DENIED");
                    }
                });
    }

    private static WebTestClient client(ConfigurableApplicationContext service) {
        return WebTestClient.bindToServer()
                .baseUrl("http://127.0.0.1:" + ExampleService.port(service))
                .build();
    }
}
