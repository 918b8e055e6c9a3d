package io.weighbridge.ledger.http.security;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Where credentials come from (spec 5.3).
 *
 * @param issuer an OIDC issuer of JWT bearer tokens
 * @param jwkSetUri its key set, where it is not to be discovered
 * @param audience demanded in {@code aud} where given
 * @param tokenFile static tokens of tenants' callers, for small sites
 * @param peerTokenFile tokens and certificates of services and agents
 * @param ownToken this process's own credential for calls to others
 * @param callsSslBundle the name of the {@code spring.ssl.bundle} with which this process calls {@code https} peers:
 *     its trusted authorities and, for mutual TLS, its own certificate
 */
@ConfigurationProperties("weighbridge.security")
public record SecurityProperties(
        @Nullable URI issuer,
        @Nullable URI jwkSetUri,
        @Nullable String audience,
        @Nullable Path tokenFile,
        @Nullable Path peerTokenFile,
        @Nullable String ownToken,
        @Nullable String callsSslBundle) {

    /** Tenants' callers have credentials here, so that none is anonymous. */
    public boolean hasCallersCredentials() {
        return issuer != null || jwkSetUri != null || tokenFile != null;
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "SecurityProperties[issuer=" + issuer + ", tokenFile=" + tokenFile + ", peerTokenFile=" + peerTokenFile
                + "]";
    }
}
