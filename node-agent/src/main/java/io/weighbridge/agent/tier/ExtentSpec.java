package io.weighbridge.agent.tier;

import io.weighbridge.ledger.vocabulary.ObjectType;
import java.util.UUID;

/**
 * What an extent is for.
 *
 * @param replicaId names the extent; the only part that an adapter may derive a path from
 * @param objectId 64 hexadecimal digits
 * @param key the object's key, kept beside the bytes for people who look
 * @param type decides the digest: plain SHA-256 for METADATA, the tree digest otherwise
 * @param size bytes, 0 or more
 */
public record ExtentSpec(UUID replicaId, String objectId, String key, ObjectType type, long size) {}
