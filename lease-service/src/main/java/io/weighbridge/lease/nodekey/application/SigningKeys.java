package io.weighbridge.lease.nodekey.application;

import io.weighbridge.lease.nodekey.postgres.NodeKeyRows;
import io.weighbridge.ledger.token.NodeKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The keys under which tokens are signed now, kept in memory. A key never changes under its version, and its node
 * accepts the version before the newest for a whole rotation. So a remembered key is valid although a newer one
 * exists; it is looked up again after a while, and a node without key each time.
 */
public final class SigningKeys {

    private static final Duration REMEMBERED = Duration.ofSeconds(30);

    private final NodeKeyRows rows;
    private final Duration activation;
    private final InstantSource clock;
    private final Map<UUID, Known> known = new ConcurrentHashMap<>();

    private record Known(NodeKey key, long readAtMillis) {}

    /** @param activation how long a newer key is only known before it signs */
    public SigningKeys(NodeKeyRows rows, Duration activation, InstantSource clock) {
        this.rows = rows;
        this.activation = activation;
        this.clock = clock;
    }

    /** The signing keys of these nodes; nodes without key are absent. */
    public Mono<Map<UUID, NodeKey>> of(Set<UUID> nodes) {
        long now = clock.millis();
        Map<UUID, NodeKey> found = HashMap.newHashMap(nodes.size());
        Set<UUID> unknown = new HashSet<>();
        for (UUID node : nodes) {
            NodeKey key = remembered(node, now);
            if (key == null) {
                unknown.add(node);
            } else {
                found.put(node, key);
            }
        }
        return unknown.isEmpty()
                ? Mono.just(found)
                : rows.signing(unknown, activation)
                        .doOnNext(key -> {
                            known.put(key.nodeId(), new Known(key, now));
                            found.put(key.nodeId(), key);
                        })
                        .then(Mono.just(found));
    }

    private @Nullable NodeKey remembered(UUID node, long now) {
        Known entry = known.get(node);
        return entry == null || now - entry.readAtMillis() > REMEMBERED.toMillis() || now < entry.readAtMillis()
                ? null
                : entry.key();
    }
}
