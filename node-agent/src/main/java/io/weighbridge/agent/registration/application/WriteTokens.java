package io.weighbridge.agent.registration.application;

import io.weighbridge.agent.tier.Extent;
import io.weighbridge.agent.tier.ExtentSpec;
import io.weighbridge.agent.tier.Segment;
import io.weighbridge.agent.tier.Segments;
import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.token.WriteToken;
import java.io.IOException;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.publisher.Mono;

/**
 * Which writes are allowed here (spec 2.2): a token must be signed for this node, name the key, be of the segment's
 * epoch, neither expired nor closed. What was begun under a token stays until the token ends; then its space returns.
 */
public final class WriteTokens {

    private static final int CLOSED_MAX = 100_000;

    private final NodeKeys keys;
    private final LedgerClock clock;
    private final Segments segments;
    private final Map<UUID, Instant> begun = new ConcurrentHashMap<>();

    /** The newest ones are enough: a write under an older one is refused by the ledger when it is reported. */
    private final Set<UUID> closed = Collections.newSetFromMap(Collections.synchronizedMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, Boolean> eldest) {
            return size() > CLOSED_MAX;
        }
    }));

    public WriteTokens(NodeKeys keys, LedgerClock clock, Segments segments) {
        this.keys = keys;
        this.clock = clock;
        this.segments = segments;
    }

    /**
     * Authenticates a token and compares it with the key.
     *
     * @return PERMISSION_DENIED when it is for another node or key, otherwise what it grants
     */
    public Mono<WriteToken.Grant> verify(String token, String key) {
        return keys.verify(token, WriteToken::verify).map(grant -> {
            if (!CanonicalKeys.objectId(grant.tenantId(), key).equals(grant.objectId())) {
                throw new ProblemException(ProblemCode.PERMISSION_DENIED, "the write token is for another key");
            }
            return grant;
        });
    }

    /**
     * The segment that the grant allows to write to now.
     *
     * @throws ProblemException STALE_TOKEN when it does not any more
     */
    public Segment check(WriteToken.Grant grant) {
        if (closed.contains(grant.replicaId())) {
            throw new ProblemException(ProblemCode.STALE_TOKEN, "the write token is closed");
        }
        ensureAlive(grant);
        Segment segment = segments.writable(grant.segmentId(), grant.segmentEpoch());
        if (segment.identity().tier() != grant.tier()) {
            throw new ProblemException(ProblemCode.STALE_TOKEN, "the segment is of another tier");
        }
        return segment;
    }

    /** @throws ProblemException STALE_TOKEN when the grant's time is over */
    public void ensureAlive(WriteToken.Grant grant) {
        if (clock.hasCome(grant.expiresAt())) {
            throw new ProblemException(ProblemCode.STALE_TOKEN, "the write token has expired");
        }
    }

    /**
     * The extent of the grant's copy, reserved if there is none yet. May block.
     *
     * @throws ProblemException NO_SPACE, STALE_TOKEN
     */
    public Extent extent(WriteToken.Grant grant, String key) throws IOException {
        Segment segment = check(grant);
        Extent present = segment.find(grant.replicaId());
        if (present != null) {
            return present;
        }
        Extent extent =
                segment.reserve(new ExtentSpec(grant.replicaId(), grant.objectId(), key, grant.type(), grant.size()));
        begun.put(grant.replicaId(), grant.expiresAt());
        if (closed.contains(grant.replicaId())) {
            // It was closed between the check and the reservation, and the closing found nothing to free.
            abandon(grant.replicaId());
            throw new ProblemException(ProblemCode.STALE_TOKEN, "the write token is closed");
        }
        return extent;
    }

    /** Takes no byte under the copy's token any more; completes when the space has returned. */
    public CompletableFuture<Void> close(UUID replicaId) {
        closed.add(replicaId);
        return abandon(replicaId);
    }

    /** Drops what was written of a copy; its token may begin anew. */
    public CompletableFuture<Void> abandon(UUID replicaId) {
        begun.remove(replicaId);
        return segments.free(replicaId);
    }

    /** Drops what was begun under tokens that have expired. */
    public void sweep() {
        begun.forEach((replicaId, expiresAt) -> {
            Extent extent = segments.find(replicaId);
            if (extent == null || extent.content() != null) {
                begun.remove(replicaId);
            } else if (clock.hasCome(expiresAt) && !extent.isWriting()) {
                abandon(replicaId);
            }
        });
    }
}
