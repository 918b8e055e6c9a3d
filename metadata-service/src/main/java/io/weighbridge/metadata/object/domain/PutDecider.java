package io.weighbridge.metadata.object.domain;

import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.ReplicaState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The rules of writing (spec 2.2): who may start, end and give up a put, and what removal needs. What agents report is
 * decided by {@link CopyDecider}. The checks stand in the order in which they win.
 */
public final class PutDecider {

    private PutDecider() {}

    /**
     * @param now the database's clock
     * @return the events to apply, or no change, or the refusal
     */
    public static Decision<PutEvent> decide(Put put, PutCommand command, Instant now) {
        return switch (command) {
            case PutCommand.Start start -> start(put, start, now);
            case PutCommand.End end -> end(put, end, now);
            case PutCommand.Revoke revoke -> revoke(put, revoke, now);
            case PutCommand.Abandon() -> giveUp(put, now, attempt -> true);
            case PutCommand.Expire() -> giveUp(put, now, attempt -> attempt.hasExpired(now));
            case PutCommand.Forget() -> CopyDecider.forget(put, now);
            case PutCommand.Remove(boolean force) -> remove(put, force, now);
            case PutCommand.Open open -> CopyDecider.open(put, open, now);
            case PutCommand.Store store -> CopyDecider.store(put, store, now);
            case PutCommand.Close(UUID replicaId) -> CopyDecider.close(put, replicaId, now);
            case PutCommand.Condemn(UUID replicaId) -> CopyDecider.condemn(put, replicaId, now);
            case PutCommand.Free(UUID replicaId) -> CopyDecider.free(put, replicaId, now);
            case PutCommand.Plan plan -> CopyDecider.plan(put, plan, now);
            case PutCommand.Retire retire -> CopyDecider.retire(put, retire, now);
        };
    }

    /** Everything that refuses a start but missing space, so that no space is looked for in vain. */
    public static Optional<PutRefusal> refusesStart(Put put, PutCommand.Start start, Instant now) {
        Optional<PutRefusal> member = start.managed() ? refusesMember(put, start) : Optional.empty();
        if (member.isPresent()) {
            return member;
        }
        Content content = put.content();
        if (content != null && belongsToAnother(content, start.wanted())) {
            return Optional.of(PutRefusal.MEMBER_OF_REVISION);
        }
        switch (put.phase()) {
            case COMPLETE -> {
                return Optional.of(PutRefusal.COMPLETE_ALREADY);
            }
            case PENDING -> {
                Attempt pending = put.pending().orElseThrow();
                if (!givesWay(put, pending, start, now)) {
                    return Optional.of(PutRefusal.PUT_IN_PROGRESS);
                }
            }
            case FREE, LOST -> {}
        }
        Membership membership = start.membership();
        boolean early = membership != null
                && start.wanted().type() == ObjectType.METADATA
                && start.managed()
                && membership.lacksPayloads();
        return early ? Optional.of(PutRefusal.PAYLOADS_FIRST) : Optional.empty();
    }

    private static Decision<PutEvent> start(Put put, PutCommand.Start start, Instant now) {
        Optional<PutRefusal> refusal = refusesStart(put, start, now);
        if (refusal.isPresent()) {
            return refused(refusal.get());
        }
        if (start.copies().isEmpty()) {
            return refused(PutRefusal.NO_ROOM);
        }
        List<PutEvent> events = new ArrayList<>();
        put.pending().ifPresent(old -> events.add(new PutEvent.PutRevoked(old.putId(), now)));
        for (Copy copy : put.copies()) {
            if (copy.state() == ReplicaState.COMPLETE) {
                events.add(new PutEvent.CopyRetired(copy.replicaId(), now));
            }
        }
        events.add(new PutEvent.PutStarted(start.attempt(), Content.started(start.wanted(), now), start.copies()));
        return new Decision.Accepted<>(events);
    }

    /** A member must be what the commit check will want (spec 1.4, 1.5). */
    private static Optional<PutRefusal> refusesMember(Put put, PutCommand.Start start) {
        Membership membership = start.membership();
        if (membership == null) {
            return Optional.of(PutRefusal.GROUP_UNKNOWN);
        }
        boolean manifest = put.key().equals(membership.manifestKey());
        ObjectType expected = manifest ? ObjectType.METADATA : ObjectType.WEIGHT;
        return start.wanted().type() == expected
                ? membership.refuses(start.importToken())
                : Optional.of(PutRefusal.MEMBER_MISFILED);
    }

    private static boolean belongsToAnother(Content content, Wanted wanted) {
        return content.revisionId() != null
                && !content.released()
                && !content.revisionId().equals(wanted.revisionId());
    }

    /** A put gives way by age; at once when it can never end, since a target's bytes are lost. */
    private static boolean givesWay(Put put, Attempt pending, PutCommand.Start start, Instant now) {
        return pending.hasExpired(now)
                || !now.isBefore(pending.startedAt().plus(start.preemptAfter()))
                || put.copiesOf(pending.putId()).stream().anyMatch(copy -> copy.standing() == Standing.MOVED);
    }

    private static Decision<PutEvent> end(Put put, PutCommand.End end, Instant now) {
        Optional<Attempt> found = put.attempt(end.tokenHash());
        Content content = put.content();
        if (found.isEmpty() || content == null || found.get().operationId() != null) {
            return refused(PutRefusal.TOKEN_DEAD);
        }
        Attempt attempt = found.get();
        return switch (attempt.state()) {
            case REVOKED -> refused(PutRefusal.TOKEN_DEAD);
            case ENDED -> endAgain(put, content, end);
            case PENDING ->
                attempt.hasExpired(now) ? refused(PutRefusal.TOKEN_DEAD) : end(put, content, attempt, end, now);
        };
    }

    /** A repeated end after a lost answer succeeds while what it made is there. */
    private static Decision<PutEvent> endAgain(Put put, Content content, PutCommand.End end) {
        boolean there = put.copies().stream().anyMatch(copy -> copy.state() == ReplicaState.COMPLETE);
        if (!there) {
            return refused(PutRefusal.TOKEN_DEAD);
        }
        return isDifferent(end, content.size(), content.digest() == null ? "" : content.digest())
                ? refused(PutRefusal.CONTENT_DIFFERS)
                : Decision.unchanged();
    }

    private static Decision<PutEvent> end(Put put, Content content, Attempt attempt, PutCommand.End end, Instant now) {
        if (content.revisionId() != null) {
            Optional<PutRefusal> member = refusesMemberEnd(end);
            if (member.isPresent()) {
                return refused(member.get());
            }
        }
        List<Copy> targets = put.copiesOf(attempt.putId());
        Optional<PutRefusal> missing = refusesTargets(targets);
        if (missing.isPresent()) {
            return refused(missing.get());
        }
        Stored first = targets.getFirst().stored();
        if (first == null) {
            return refused(PutRefusal.NOT_STORED);
        }
        boolean same = targets.stream().allMatch(copy -> {
            Stored stored = copy.stored();
            return stored != null && stored.isSameContent(content.size(), first.digest());
        });
        if (!same || isDifferent(end, first.size(), first.digest())) {
            return refused(PutRefusal.CONTENT_DIFFERS);
        }
        return Decision.accepted(
                new PutEvent.ObjectCommitted(attempt.putId(), end.version(), first.digest(), first.crc32c(), now));
    }

    private static Optional<PutRefusal> refusesMemberEnd(PutCommand.End end) {
        Membership membership = end.membership();
        if (membership == null) {
            return Optional.of(PutRefusal.NOT_IMPORTING);
        }
        return end.importToken() == null ? membership.refusesWithoutToken() : membership.refuses(end.importToken());
    }

    /** Every target must be whole, where it was planned. */
    private static Optional<PutRefusal> refusesTargets(List<Copy> targets) {
        if (targets.isEmpty() || targets.stream().anyMatch(copy -> copy.standing() == Standing.MOVED)) {
            return Optional.of(PutRefusal.EPOCH_MOVED);
        }
        if (targets.stream().anyMatch(copy -> copy.standing() == Standing.AWAY)) {
            return Optional.of(PutRefusal.TARGET_AWAY);
        }
        if (targets.stream().anyMatch(Copy::isTerminal)) {
            return Optional.of(PutRefusal.COPY_DAMAGED);
        }
        boolean whole = targets.stream().allMatch(copy -> copy.stored() != null);
        return whole ? Optional.empty() : Optional.of(PutRefusal.NOT_STORED);
    }

    private static boolean isDifferent(PutCommand.End end, long size, String digest) {
        return (end.size() != null && end.size() != size)
                || (end.digest() != null && !end.digest().equals(digest));
    }

    private static Decision<PutEvent> revoke(Put put, PutCommand.Revoke revoke, Instant now) {
        Optional<Attempt> found = put.attempt(revoke.tokenHash());
        if (found.isEmpty() || found.get().operationId() != null) {
            return refused(PutRefusal.TOKEN_DEAD);
        }
        Attempt attempt = found.get();
        return switch (attempt.state()) {
            case PENDING -> Decision.accepted(new PutEvent.PutRevoked(attempt.putId(), now));
            case REVOKED -> Decision.unchanged();
            case ENDED ->
                put.copies().stream().anyMatch(copy -> copy.state() == ReplicaState.COMPLETE)
                        ? refused(PutRefusal.COMPLETE_ALREADY)
                        : Decision.unchanged();
        };
    }

    private static Decision<PutEvent> giveUp(Put put, Instant now, Predicate<Attempt> which) {
        List<PutEvent> events = new ArrayList<>();
        for (Attempt attempt : put.attempts()) {
            if (attempt.isPending() && which.test(attempt)) {
                events.add(new PutEvent.PutRevoked(attempt.putId(), now));
            }
        }
        return events.isEmpty() ? Decision.unchanged() : new Decision.Accepted<>(events);
    }

    private static Decision<PutEvent> remove(Put put, boolean force, Instant now) {
        Content content = put.content();
        List<Copy> committed = put.copies().stream()
                .filter(copy -> copy.state() == ReplicaState.COMPLETE)
                .toList();
        if (content == null || !content.isCommitted() || committed.isEmpty()) {
            return refused(PutRefusal.ABSENT);
        }
        if (content.revisionId() != null && !content.released()) {
            return refused(PutRefusal.MEMBER_OF_REVISION);
        }
        if (content.isPinned(now) && !force) {
            return refused(PutRefusal.PINNED);
        }
        List<PutEvent> events = new ArrayList<>();
        committed.forEach(copy -> events.add(new PutEvent.CopyRetired(copy.replicaId(), now)));
        return new Decision.Accepted<>(events);
    }

    static Decision<PutEvent> refused(PutRefusal refusal) {
        return Decision.refused(refusal.problem());
    }
}
