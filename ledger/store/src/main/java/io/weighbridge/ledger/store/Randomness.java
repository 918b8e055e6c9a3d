package io.weighbridge.ledger.store;

import io.weighbridge.ledger.token.Secret;
import java.security.SecureRandom;
import java.util.UUID;

/** Ids of 128 random bits and secrets of 256 (spec 1.2); deciders get them as arguments. */
public final class Randomness {

    private static final SecureRandom RANDOM = new SecureRandom();

    private Randomness() {}

    /** All 128 bits are random, unlike a version 4 UUID's. */
    public static UUID id() {
        return new UUID(RANDOM.nextLong(), RANDOM.nextLong());
    }

    /** A bearer secret in its text form. */
    public static String secret() {
        return Secret.encode(bytes(Secret.BYTES));
    }

    public static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        RANDOM.nextBytes(bytes);
        return bytes;
    }
}
