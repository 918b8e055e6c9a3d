package io.weighbridge.wire;

import java.util.UUID;

/**
 * An agent's answer to a whole upload; it has been reported to the ledger.
 *
 * @param digest SHA-256 of a METADATA object, tree digest otherwise
 */
public record ContentStored(UUID replicaId, long size, String digest) {}
