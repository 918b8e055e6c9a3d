package io.weighbridge.ledger.token;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The HMAC-SHA-256 key that the ledger shares with one node (spec 2.3). A token names copies on nodes, and only the
 * node that holds a copy checks its part.
 *
 * @param nodeId whose key this is
 * @param version counts rotations from 1; the previous version stays valid for a while
 * @param secret 32 random bytes; callers must not change the array
 */
public record NodeKey(UUID nodeId, int version, byte[] secret) {

    private static final String ALGORITHM = "HmacSHA256";

    /** Bytes in a signature. */
    static final int SIGNATURE_BYTES = 32;

    byte[] sign(byte[] message) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            return mac.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    boolean verifies(byte[] message, byte[] signature) {
        return MessageDigest.isEqual(sign(message), signature);
    }

    /** Without the secret, so that it reaches no log. */
    @Override
    public String toString() {
        return "NodeKey[nodeId=" + nodeId + ", version=" + version + "]";
    }
}
