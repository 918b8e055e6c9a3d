package io.weighbridge.reconciliation.revision.domain;

import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.reconciliation.revision.domain.Action.CopyMember;
import io.weighbridge.reconciliation.revision.domain.Action.Reason;
import io.weighbridge.reconciliation.revision.domain.Action.RetireReplicas;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One pass of an operation over all members. */
final class OperationWork {

    private final Limits limits;
    private final List<CopyMember> copies = new ArrayList<>();
    private final Map<Reason, List<UUID>> retired = new EnumMap<>(Reason.class);
    private long satisfied;
    private @Nullable String cursor;
    private boolean moving;
    private boolean later;
    private boolean lacking;

    private OperationWork(Limits limits) {
        this.limits = limits;
    }

    /** What an operation of this kind would do now, whether it is under way or not. */
    static OperationWork of(RevisionSituation situation, OperationKind kind, Limits limits) {
        OperationWork work = new OperationWork(limits);
        Goal goal = Goal.of(kind, situation.row());
        Targets targets = new Targets(situation, limits);
        for (Member member : situation.members()) {
            work.add(member, MemberWork.of(situation, goal, member, targets));
        }
        return work;
    }

    private void add(Member member, MemberWork work) {
        copies.addAll(work.copies());
        work.retired()
                .forEach((reason, ids) ->
                        retired.computeIfAbsent(reason, _ -> new ArrayList<>()).addAll(ids));
        moving |= work.isMoving();
        later |= work.isLater();
        lacking |= work.isLacking();
        if (work.isSatisfied()) {
            satisfied++;
            cursor = member.key();
        }
    }

    /** Copies, then what can go; bounded. */
    List<Action> actions() {
        List<Action> actions = new ArrayList<>(copies);
        int left = limits.retiresPerPass();
        for (Map.Entry<Reason, List<UUID>> entry : retired.entrySet()) {
            List<UUID> ids =
                    entry.getValue().subList(0, Math.min(left, entry.getValue().size()));
            if (!ids.isEmpty()) {
                actions.add(new RetireReplicas(ids, entry.getKey()));
            }
            left -= ids.size();
        }
        return actions;
    }

    /** An operation of our own would change something that is wanted. */
    boolean isWorthStarting() {
        return !copies.isEmpty() || retired.containsKey(Reason.SURPLUS) || retired.containsKey(Reason.ELSEWHERE);
    }

    boolean isMoving() {
        return moving || !copies.isEmpty();
    }

    boolean isLater() {
        return later;
    }

    boolean isLacking() {
        return lacking;
    }

    boolean isIdle() {
        return copies.isEmpty() && retired.isEmpty() && !moving && !later;
    }

    long satisfied() {
        return satisfied;
    }

    @Nullable
    String cursor() {
        return cursor;
    }
}
