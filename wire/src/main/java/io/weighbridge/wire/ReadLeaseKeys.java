package io.weighbridge.wire;

import java.util.List;

/**
 * {@code GET /v1/read-lease-keys}: an agent's own keys, newest first.
 */
public record ReadLeaseKeys(List<ReadLeaseKeys.Key> keys) {

    /** @param secret base64url of 32 bytes */
    public record Key(int version, String secret) {

        /** Without the secret, so that it reaches no log. */
        @Override
        public String toString() {
            return "Key[version=" + version + "]";
        }
    }
}
