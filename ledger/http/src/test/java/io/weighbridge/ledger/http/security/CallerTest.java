package io.weighbridge.ledger.http.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.ledger.problem.ProblemException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.test.StepVerifier;

/** Tenants, scopes and what needs no credential. */
class CallerTest {

    @Test
    void localHasTheTenantsScopesOnly() {
        Caller local = Caller.local();
        assertThat(local.scopes()).isEqualTo(Scope.ofTenant());
        assertThat(local.has(Scope.NODES_AGENT, Scope.LEDGER_INTERNAL, Scope.PLATFORM_ADMIN))
                .isFalse();
        assertThat(local.isInternal()).isFalse();
        assertThat(local.seesAllTenants()).isFalse();
    }

    @Test
    void adminIncludesWriteIncludesRead() {
        Caller admin = new Caller("acme", "ann", Set.of(Scope.WEIGHTS_ADMIN));
        assertThat(admin.require(Scope.WEIGHTS_READ)).isEqualTo(admin);
        assertThatThrownBy(() -> admin.require(Scope.OBJECTS_READ, Scope.UPDATES_OPERATE))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("needs scope objects:read or updates:operate");
    }

    @Test
    void aServiceHasNoTenantButActsInEach() {
        Caller service = new Caller(null, "service/reconciliation", Set.of(Scope.LEDGER_INTERNAL));
        assertThat(service.tenant("acme")).isEqualTo("acme");
        assertThat(service.has(Scope.OBJECTS_WRITE)).isTrue();
        assertThat(service.has(Scope.NODES_AGENT)).isFalse();
        assertThatThrownBy(service::tenant).isInstanceOf(ProblemException.class);
    }

    @Test
    void aForeignTenantIsRefusedNotReplaced() {
        Caller ann = new Caller("acme", "ann", Set.of(Scope.WEIGHTS_READ));
        assertThat(ann.tenant(null)).isEqualTo("acme");
        assertThat(ann.tenant("acme")).isEqualTo("acme");
        assertThatThrownBy(() -> ann.tenant("other"))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("PERMISSION_DENIED");
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, true, 1", "127.0.0.9, true, 1", "10.0.0.7, true, 0", "127.0.0.1, false, 0", "::1, true, 1"})
    void onlyThisHostIsAnonymous(String remote, boolean anonymousListener, int callers) throws Exception {
        var exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/v1/whoami")
                .remoteAddress(new InetSocketAddress(InetAddress.getByName(remote), 4711)));
        StepVerifier.create(new CredentialReader(TokenFile.empty(), anonymousListener).convert(exchange))
                .expectNextCount(callers)
                .verifyComplete();
    }
}
