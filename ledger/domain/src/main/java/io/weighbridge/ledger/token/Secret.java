package io.weighbridge.ledger.token;

import io.weighbridge.ledger.key.Sha256;
import io.weighbridge.ledger.key.Utf8;
import java.security.MessageDigest;
import java.util.Base64;

/** Bearer secrets of 256 random bits: given out once, kept only as a hash (spec 1.2, 5.3). */
public final class Secret {

    /** Random bytes in a secret. */
    public static final int BYTES = 32;

    private Secret() {}

    /** The secret's text form, base64url without padding. */
    public static String encode(byte[] random) {
        if (random.length != BYTES) {
            throw new IllegalArgumentException("a secret has " + BYTES + " random bytes");
        }
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    /** What the ledger stores: SHA-256 of the text form, as hexadecimal digits. */
    public static String hash(String secret) {
        return Sha256.hex(Utf8.bytes(secret));
    }

    /** Compares in constant time. */
    public static boolean matches(String secret, String hash) {
        return MessageDigest.isEqual(Utf8.bytes(hash(secret)), Utf8.bytes(hash));
    }
}
