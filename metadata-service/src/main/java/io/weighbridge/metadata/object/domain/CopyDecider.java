package io.weighbridge.metadata.object.domain;

import static io.weighbridge.metadata.object.domain.PutDecider.refused;

import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.ReplicaState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** The rules of one copy's life (spec 2.1): what its agent reports and what operations do with it. */
final class CopyDecider {

    private CopyDecider() {}

    static Decision<PutEvent> open(Put put, PutCommand.Open open, Instant now) {
        Optional<Copy> found = put.copy(open.replicaId());
        Optional<PutRefusal> refusal = refusesReport(put, found, open.tokenHash(), now);
        if (found.isEmpty() || refusal.isPresent()) {
            return refused(refusal.orElse(PutRefusal.TOKEN_DEAD));
        }
        return switch (found.get().state()) {
            case INITIALIZED -> Decision.accepted(new PutEvent.CopyOpened(open.replicaId(), now));
            case PROCESSING, COMPLETE -> Decision.unchanged();
            case FAILED, REMOVED -> refused(PutRefusal.TOKEN_DEAD);
        };
    }

    static Decision<PutEvent> store(Put put, PutCommand.Store store, Instant now) {
        Optional<Copy> found = put.copy(store.replicaId());
        Optional<PutRefusal> refusal = refusesReport(put, found, store.tokenHash(), now);
        Content content = put.content();
        if (found.isEmpty() || content == null || refusal.isPresent()) {
            return refused(refusal.orElse(PutRefusal.TOKEN_DEAD));
        }
        Copy copy = found.get();
        if (store.stored().crc32c().size() != Stored.chunks(store.stored().size())) {
            return refused(PutRefusal.CHUNKS_MISCOUNTED);
        }
        Stored before = copy.stored();
        if (before != null) {
            return before.isSameContent(store.stored().size(), store.stored().digest())
                    ? Decision.unchanged()
                    : refused(PutRefusal.CONTENT_DIFFERS);
        }
        if (copy.operationId() == null) {
            return Decision.accepted(new PutEvent.CopyStored(copy.replicaId(), store.stored()));
        }
        return storePlanned(content, copy, store, now);
    }

    /** A planned copy needs no PutEnd: it is compared with the committed object at once (spec 1.7). */
    private static Decision<PutEvent> storePlanned(Content content, Copy copy, PutCommand.Store store, Instant now) {
        if (!Objects.equals(copy.operationId(), store.activeOperation())) {
            return refused(PutRefusal.OPERATION_OVER);
        }
        PutEvent stored = new PutEvent.CopyStored(copy.replicaId(), store.stored());
        boolean same = content.isCommitted()
                && content.digest() != null
                && store.stored().isSameContent(content.size(), content.digest());
        return Decision.accepted(
                stored,
                same ? new PutEvent.CopyCommitted(copy.replicaId()) : new PutEvent.CopyFailed(copy.replicaId(), now));
    }

    /** A report that moves a copy forward comes under its own live token and epoch. */
    private static Optional<PutRefusal> refusesReport(Put put, Optional<Copy> found, String tokenHash, Instant now) {
        if (found.isEmpty()) {
            return Optional.of(PutRefusal.TOKEN_DEAD);
        }
        Copy copy = found.get();
        Optional<Attempt> attempt = put.attempt(tokenHash).filter(a -> a.putId().equals(copy.putId()));
        if (attempt.isEmpty() || copy.isTerminal()) {
            return Optional.of(PutRefusal.TOKEN_DEAD);
        }
        if (copy.standing() == Standing.MOVED) {
            return Optional.of(PutRefusal.EPOCH_MOVED);
        }
        boolean late = attempt.get().isPending() && attempt.get().hasExpired(now);
        return late ? Optional.of(PutRefusal.TOKEN_DEAD) : Optional.empty();
    }

    /** Unknown copies are freed already: the agent repeats until it is answered. */
    static Decision<PutEvent> close(Put put, UUID replicaId, Instant now) {
        Optional<Copy> found = put.copy(replicaId);
        if (found.isEmpty()) {
            return Decision.unchanged();
        }
        Copy copy = found.get();
        return switch (copy.state()) {
            // The agent drops what it had before it reports; a readable copy's bytes are never dropped by a close.
            case FAILED, REMOVED ->
                isStillAwaited(put, copy)
                        ? closeOnce(copy, now)
                        : copy.tokenClosed()
                                ? Decision.unchanged()
                                : Decision.accepted(new PutEvent.CopyFreed(replicaId));
            case INITIALIZED -> given(replicaId, new PutEvent.CopyRetired(replicaId, now), now);
            case PROCESSING -> given(replicaId, new PutEvent.CopyFailed(replicaId, now), now);
            case COMPLETE -> Decision.unchanged();
        };
    }

    /** The agent has given an open copy up: its put cannot end any more. */
    private static Decision<PutEvent> given(UUID replicaId, PutEvent end, Instant now) {
        return Decision.accepted(new PutEvent.TokenClosed(replicaId, now), end);
    }

    private static Decision<PutEvent> closeOnce(Copy copy, Instant now) {
        return copy.tokenClosed()
                ? Decision.unchanged()
                : Decision.accepted(new PutEvent.TokenClosed(copy.replicaId(), now));
    }

    /** A pending put's targets stay on record, so that its end cannot overlook one. */
    private static boolean isStillAwaited(Put put, Copy copy) {
        return put.attempt(copy.putId()).filter(Attempt::isPending).isPresent();
    }

    static Decision<PutEvent> condemn(Put put, UUID replicaId, Instant now) {
        Optional<Copy> found = put.copy(replicaId);
        if (found.isEmpty()) {
            return Decision.unchanged();
        }
        return switch (found.get().state()) {
            case COMPLETE -> Decision.accepted(new PutEvent.CopyRetired(replicaId, now));
            case PROCESSING -> Decision.accepted(new PutEvent.CopyFailed(replicaId, now));
            // No byte has arrived: there is nothing that could be damaged.
            case INITIALIZED -> Decision.unchanged();
            case FAILED, REMOVED -> Decision.unchanged();
        };
    }

    /** The agent is the authority on its own bytes: what it has freed is gone, whatever the ledger hoped. */
    static Decision<PutEvent> free(Put put, UUID replicaId, Instant now) {
        Optional<Copy> found = put.copy(replicaId);
        if (found.isEmpty()) {
            return Decision.unchanged();
        }
        Copy copy = found.get();
        return switch (copy.state()) {
            case FAILED, REMOVED ->
                isStillAwaited(put, copy) ? closeOnce(copy, now) : Decision.accepted(new PutEvent.CopyFreed(replicaId));
            case COMPLETE ->
                Decision.accepted(new PutEvent.CopyRetired(replicaId, now), new PutEvent.CopyFreed(replicaId));
            case INITIALIZED -> given(replicaId, new PutEvent.CopyRetired(replicaId, now), now);
            case PROCESSING -> given(replicaId, new PutEvent.CopyFailed(replicaId, now), now);
        };
    }

    /** A pending put keeps its targets, so that its end is told why it cannot. */
    static Decision<PutEvent> forget(Put put, Instant now) {
        List<PutEvent> events = new ArrayList<>();
        for (Copy copy : put.copies()) {
            if (copy.standing() != Standing.MOVED || isStillAwaited(put, copy)) {
                continue;
            }
            if (!copy.isTerminal()) {
                events.add(new PutEvent.CopyRetired(copy.replicaId(), now));
            }
            events.add(new PutEvent.CopyFreed(copy.replicaId()));
        }
        return events.isEmpty() ? Decision.unchanged() : new Decision.Accepted<>(events);
    }

    static Decision<PutEvent> plan(Put put, PutCommand.Plan plan, Instant now) {
        List<Copy> there = put.copies().stream()
                .filter(copy -> copy.nodeId().equals(plan.nodeId()) && copy.tier() == plan.tier())
                .filter(copy -> !copy.isTerminal() && copy.standing() != Standing.MOVED)
                .toList();
        if (put.copies().stream().noneMatch(Copy::isReadable)) {
            return refused(PutRefusal.NOT_READABLE);
        }
        if (there.stream().anyMatch(copy -> copy.state() == ReplicaState.COMPLETE)) {
            return refused(PutRefusal.COMPLETE_ALREADY);
        }
        List<PutEvent> events = new ArrayList<>();
        for (Copy copy : there) {
            Optional<Attempt> pending = put.attempt(copy.putId()).filter(Attempt::isPending);
            if (pending.isPresent() && isSamePlan(pending.get(), plan, now) && !plan.replace()) {
                return Decision.unchanged();
            }
            events.add(new PutEvent.PutRevoked(copy.putId(), now));
        }
        Copy copy = plan.copy();
        if (copy == null) {
            return refused(PutRefusal.NO_ROOM);
        }
        events.add(new PutEvent.CopyPlanned(plan.attempt(), copy));
        return new Decision.Accepted<>(events);
    }

    private static boolean isSamePlan(Attempt pending, PutCommand.Plan plan, Instant now) {
        return Objects.equals(pending.operationId(), plan.attempt().operationId()) && !pending.hasExpired(now);
    }

    static Decision<PutEvent> retire(Put put, PutCommand.Retire retire, Instant now) {
        Optional<Copy> found = put.copy(retire.replicaId());
        if (found.isEmpty() || found.get().isTerminal()) {
            return Decision.unchanged();
        }
        Copy copy = found.get();
        Optional<PutRefusal> refusal =
                retire.deleting() ? refusesDelete(put, retire) : refusesRetire(put, copy, retire.leased());
        return refusal.isPresent()
                ? refused(refusal.get())
                : Decision.accepted(new PutEvent.CopyRetired(copy.replicaId(), now));
    }

    private static Optional<PutRefusal> refusesDelete(Put put, PutCommand.Retire retire) {
        if (retire.leased()) {
            return Optional.of(PutRefusal.LEASED);
        }
        boolean manifest = put.content() != null && put.content().type() == ObjectType.METADATA;
        return manifest && retire.payloadsRemain() ? Optional.of(PutRefusal.PAYLOADS_FIRST) : Optional.empty();
    }

    private static Optional<PutRefusal> refusesRetire(Put put, Copy copy, boolean leased) {
        boolean last = copy.isReadable()
                && put.copies().stream().filter(Copy::isReadable).count() == 1;
        if (!last) {
            return Optional.empty();
        }
        return Optional.of(leased ? PutRefusal.LEASED : PutRefusal.LAST_READABLE);
    }
}
