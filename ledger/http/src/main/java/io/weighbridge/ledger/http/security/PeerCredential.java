package io.weighbridge.ledger.http.security;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** This process's own credential for calls to services and agents, {@code weighbridge.security.own-token}. */
public final class PeerCredential {

    private final @Nullable String token;

    public PeerCredential(@Nullable String token) {
        this.token = token == null || token.isBlank() ? null : token;
    }

    /** The value of the {@code Authorization} header; empty when this process has no credential. */
    public Optional<String> authorization() {
        return Optional.ofNullable(token).map(text -> "Bearer " + text);
    }

    /** Without the token. */
    @Override
    public String toString() {
        return token == null ? "no credential" : "a bearer token";
    }
}
