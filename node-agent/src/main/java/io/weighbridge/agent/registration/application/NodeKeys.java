package io.weighbridge.agent.registration.application;

import io.weighbridge.agent.registration.Ledger;
import io.weighbridge.ledger.token.NodeKey;
import io.weighbridge.wire.ReadLeaseKeys;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The keys under which this node's tokens are signed, fetched again when a newer one is spoken of. */
public final class NodeKeys {

    private static final long REFRESH_PAUSE_NANOS = 1_000_000_000L;

    private final UUID nodeId;
    private final Ledger ledger;
    private volatile Map<Integer, NodeKey> keys = Map.of();
    private final AtomicLong refreshedAt = new AtomicLong(System.nanoTime() - REFRESH_PAUSE_NANOS);

    public NodeKeys(UUID nodeId, Ledger ledger) {
        this.nodeId = nodeId;
        this.ledger = ledger;
    }

    /** Fetches them. */
    public Mono<Void> refresh() {
        return Mono.defer(() -> {
            refreshedAt.set(System.nanoTime());
            return ledger.keys(nodeId).doOnNext(this::take).then();
        });
    }

    public boolean knows(int version) {
        return keys.containsKey(version);
    }

    public @Nullable NodeKey key(int version) {
        return keys.get(version);
    }

    /**
     * Verifies a token. When it names a version that is not known, the keys are fetched once, at most every second,
     * and the token is tried again: a rotation may have come before the heartbeat that tells of it.
     */
    public <T> Mono<T> verify(String token, Verification<T> verification) {
        return Mono.defer(() -> {
            Map<Integer, NodeKey> known = keys;
            boolean[] unknown = new boolean[1];
            try {
                return Mono.just(verification.verify(token, version -> {
                    NodeKey key = known.get(version);
                    unknown[0] |= key == null && version > 0;
                    return key;
                }));
            } catch (RuntimeException refused) {
                if (!unknown[0] || !mayRefresh()) {
                    return Mono.error(refused);
                }
                return refresh().onErrorComplete().then(Mono.fromCallable(() -> verification.verify(token, this::key)));
            }
        });
    }

    /** {@code ReadLease::verify} or {@code WriteToken::verify}. */
    @FunctionalInterface
    public interface Verification<T> {
        T verify(String token, IntFunction<@Nullable NodeKey> keys);
    }

    private boolean mayRefresh() {
        long last = refreshedAt.get();
        return System.nanoTime() - last > REFRESH_PAUSE_NANOS && refreshedAt.compareAndSet(last, System.nanoTime());
    }

    private void take(ReadLeaseKeys fetched) {
        keys = fetched.keys().stream()
                .map(key -> new NodeKey(
                        nodeId, key.version(), Base64.getUrlDecoder().decode(key.secret())))
                .collect(Collectors.toUnmodifiableMap(NodeKey::version, key -> key));
    }
}
