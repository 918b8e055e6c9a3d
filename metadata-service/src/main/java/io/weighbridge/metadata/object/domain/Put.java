package io.weighbridge.metadata.object.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What can be: one key with its content, its puts and its copies (spec 2.1, 2.2).
 *
 * @param objectId see {@link io.weighbridge.ledger.key.CanonicalKeys#objectId}
 * @param content the current or latest incarnation; null when nobody has ever written the key
 * @param attempts the puts whose tokens are remembered
 * @param copies all that are not freed yet
 */
public record Put(
        String tenantId,
        String key,
        String objectId,
        @Nullable Content content,
        List<Attempt> attempts,
        List<Copy> copies) {

    /** What a writer finds under a key. */
    public enum Phase {
        /** Nothing: the key is writable. */
        FREE,
        /** A put is in progress. */
        PENDING,
        /** Committed, with a copy whose bytes are there. */
        COMPLETE,
        /** Committed once, but every copy is on a dead node or of a moved epoch: writable again. */
        LOST
    }

    public Put {
        attempts = List.copyOf(attempts);
        copies = List.copyOf(copies);
    }

    /** A key that nobody has written. */
    public static Put absent(String tenantId, String key, String objectId) {
        return new Put(tenantId, key, objectId, null, List.of(), List.of());
    }

    public Phase phase() {
        if (copies.stream().anyMatch(Copy::counts)) {
            return Phase.COMPLETE;
        }
        if (pending().isPresent()) {
            return Phase.PENDING;
        }
        boolean lost = copies.stream().anyMatch(copy -> !copy.isTerminal() && !copy.isOpen());
        return lost ? Phase.LOST : Phase.FREE;
    }

    /** The client's put that is in progress; at most one. */
    public Optional<Attempt> pending() {
        return attempts.stream()
                .filter(attempt -> attempt.isPending() && attempt.operationId() == null)
                .findFirst();
    }

    Optional<Attempt> attempt(String tokenHash) {
        return attempts.stream()
                .filter(attempt -> attempt.tokenHash().equals(tokenHash))
                .findFirst();
    }

    /** The put of this id, if its token is remembered. */
    public Optional<Attempt> attempt(UUID putId) {
        return attempts.stream()
                .filter(attempt -> attempt.putId().equals(putId))
                .findFirst();
    }

    public Optional<Copy> copy(UUID replicaId) {
        return copies.stream()
                .filter(copy -> copy.replicaId().equals(replicaId))
                .findFirst();
    }

    /** The targets of a put that are not freed. */
    public List<Copy> copiesOf(UUID putId) {
        return copies.stream().filter(copy -> copy.putId().equals(putId)).toList();
    }

    /** The state after an event. It never fails: an event is what a decision has allowed. */
    public Put after(PutEvent event) {
        return switch (event) {
            case PutEvent.PutStarted started -> after(started);
            case PutEvent.PutRevoked revoked -> after(revoked);
            case PutEvent.ObjectCommitted committed -> after(committed);
            case PutEvent.CopyPlanned(Attempt attempt, Copy copy) ->
                new Put(tenantId, key, objectId, content, plus(attempts, attempt), plus(copies, copy));
            case PutEvent.CopyOpened(UUID id, var at) -> change(id, copy -> copy.opened(at));
            case PutEvent.CopyStored(UUID id, Stored stored) -> change(id, copy -> copy.stored(stored));
            case PutEvent.CopyCommitted(UUID id) -> change(id, Copy::committed).closePlan(id, Attempt.State.ENDED);
            case PutEvent.CopyFailed(UUID id, var at) ->
                change(id, copy -> copy.failed(at)).closePlan(id, Attempt.State.REVOKED);
            case PutEvent.CopyRetired(UUID id, var at) ->
                change(id, copy -> copy.removed(at)).closePlan(id, Attempt.State.REVOKED);
            case PutEvent.TokenClosed(UUID id, var at) -> change(id, copy -> copy.closed(at));
            case PutEvent.CopyFreed(UUID id) ->
                with(
                        content,
                        attempts,
                        copies.stream()
                                .filter(copy -> !copy.replicaId().equals(id))
                                .toList());
        };
    }

    /** A new incarnation forgets the tokens of the earlier ones. */
    private Put after(PutEvent.PutStarted started) {
        List<Copy> all = new ArrayList<>(copies);
        all.addAll(started.copies());
        List<Attempt> plans = attempts.stream().filter(Attempt::isPending).toList();
        return with(started.content(), plus(plans, started.attempt()), all);
    }

    private Put after(PutEvent.PutRevoked revoked) {
        UUID putId = revoked.putId();
        boolean plan = attempt(putId).map(Attempt::operationId).isPresent();
        Content left = content == null || content.isCommitted() || plan ? content : content.detached();
        return with(
                left,
                mark(putId, Attempt.State.REVOKED),
                map(copy -> copy.putId().equals(putId) && copy.isOpen() ? copy.removed(revoked.at()) : copy));
    }

    private Put after(PutEvent.ObjectCommitted committed) {
        UUID putId = committed.putId();
        Content left = content == null
                ? null
                : content.committed(committed.version(), committed.digest(), committed.crc32c(), committed.at());
        return with(
                left,
                mark(putId, Attempt.State.ENDED),
                map(copy -> copy.putId().equals(putId) && copy.isOpen() ? copy.committed() : copy));
    }

    /** A plan has one copy and ends with it. */
    private Put closePlan(UUID replicaId, Attempt.State state) {
        Optional<UUID> plan = copy(replicaId)
                .map(Copy::putId)
                .filter(putId -> attempt(putId)
                        .filter(attempt -> attempt.isPending() && attempt.operationId() != null)
                        .isPresent());
        return plan.map(putId -> with(content, mark(putId, state), copies)).orElse(this);
    }

    private Put change(UUID replicaId, Function<Copy, Copy> change) {
        return with(content, attempts, map(copy -> copy.replicaId().equals(replicaId) ? change.apply(copy) : copy));
    }

    private List<Copy> map(Function<Copy, Copy> change) {
        return copies.stream().map(change).toList();
    }

    private List<Attempt> mark(UUID putId, Attempt.State state) {
        return attempts.stream()
                .map(attempt -> attempt.putId().equals(putId) ? attempt.with(state) : attempt)
                .toList();
    }

    private Put with(@Nullable Content newContent, List<Attempt> newAttempts, List<Copy> newCopies) {
        return new Put(tenantId, key, objectId, newContent, newAttempts, newCopies);
    }

    private static <T> List<T> plus(List<T> list, T one) {
        List<T> more = new ArrayList<>(list);
        more.add(one);
        return more;
    }
}
