package io.weighbridge.wire;

import io.weighbridge.ledger.vocabulary.ObjectType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One member object of a revision and its copies.
 *
 * @param digest SHA-256 of the manifest, tree digest of a payload; absent until first stored
 */
public record MemberView(
        String key,
        ObjectType type,
        long size,
        long objectVersion,
        @Nullable String digest,
        List<ReplicaView> replicas) {}
