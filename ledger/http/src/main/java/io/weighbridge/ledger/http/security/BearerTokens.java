package io.weighbridge.ledger.http.security;

import io.weighbridge.ledger.key.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;

/** Opaque bearer tokens of services, agents and small sites. */
public final class BearerTokens {

    private BearerTokens() {}

    /** A new unguessable token, 256 bits. */
    public static String newToken() {
        byte[] bits = new byte[32];
        new SecureRandom().nextBytes(bits);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bits);
    }

    /** What a token file keeps of a token: 64 hexadecimal digits. */
    public static String sha256(String token) {
        return Sha256.hex(token.getBytes(StandardCharsets.UTF_8));
    }
}
