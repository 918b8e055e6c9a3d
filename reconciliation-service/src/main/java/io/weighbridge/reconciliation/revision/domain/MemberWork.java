package io.weighbridge.reconciliation.revision.domain;

import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.SegmentState;
import io.weighbridge.reconciliation.revision.domain.Action.CopyMember;
import io.weighbridge.reconciliation.revision.domain.Action.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** What one operation has to do for one member. Copies come first; what they replace goes in a later pass. */
final class MemberWork {

    private final RevisionSituation situation;
    private final Goal goal;
    private final Member member;
    private final List<CopyMember> copies = new ArrayList<>();
    private final Map<Reason, List<UUID>> retired = new EnumMap<>(Reason.class);
    private boolean lacking;
    private boolean later;

    private MemberWork(RevisionSituation situation, Goal goal, Member member) {
        this.situation = situation;
        this.goal = goal;
        this.member = member;
    }

    static MemberWork of(RevisionSituation situation, Goal goal, Member member, Targets targets) {
        MemberWork work = new MemberWork(situation, goal, member);
        work.copy(targets, true);
        work.copy(targets, false);
        work.retire();
        return work;
    }

    List<CopyMember> copies() {
        return copies;
    }

    Map<Reason, List<UUID>> retired() {
        return retired;
    }

    /** Something is wanted for which there is no source or no room. */
    boolean isLacking() {
        return lacking;
    }

    /** Something is left to be done in a later pass. */
    boolean isLater() {
        return later;
    }

    /** Copies that the goal counts on are being made. */
    boolean isMoving() {
        return member.in(CopyState.MOVING).anyMatch(copy -> goal.wanted(copy.isHot()) > 0);
    }

    /** The operation wants nothing more of this member than it has. */
    boolean isSatisfied() {
        return switch (goal.kind()) {
            case EVICTING ->
                member.isReadable(false)
                        && member.copies().stream()
                                .noneMatch(copy -> copy.isHot() && copy.state().isComplete());
            case REHYDRATING -> member.isReadable(true);
            case REPAIRING, NONE ->
                member.isReadable()
                        && standing(true).size() >= goal.hot()
                        && standing(false).size() >= goal.cold();
        };
    }

    private void copy(Targets targets, boolean hot) {
        Set<UUID> sharing = Targets.holders(member, hot);
        Set<UUID> standing = Targets.nodes(standing(hot).stream());
        Set<UUID> moving =
                Targets.nodes(member.in(CopyState.MOVING).filter(copy -> copy.isHot() == hot && isAllowed(copy)));
        moving.removeAll(standing);
        int missing = goal.wanted(hot) - standing.size() - moving.size();
        for (int i = 0; i < missing; i++) {
            switch (targets.choose(member, hot, sharing)) {
                case Targets.Choice.Place(CopyMember copy) -> {
                    copies.add(copy);
                    sharing = new HashSet<>(sharing);
                    sharing.add(copy.nodeId());
                }
                case Targets.Choice.Later _ -> later = true;
                case Targets.Choice.Nowhere _ -> lacking = true;
            }
        }
    }

    private void retire() {
        member.in(CopyState.ABANDONED).forEach(copy -> retire(Reason.ABANDONED, copy));
        if (!member.isReadable() || !copies.isEmpty() || later || isMoving()) {
            return;
        }
        retireLost();
        if (goal.kind() == OperationKind.EVICTING) {
            retireEvicted();
        } else if (goal.kind() != OperationKind.REHYDRATING && !lacking) {
            retireBeyondPlacement(true);
            retireBeyondPlacement(false);
        }
    }

    private void retireLost() {
        for (boolean hot : new boolean[] {true, false}) {
            if (standing(hot).size() >= goal.wanted(hot)) {
                member.in(CopyState.UNREADABLE)
                        .filter(copy -> copy.isHot() == hot)
                        .forEach(copy -> retire(Reason.LOST, copy));
            }
        }
    }

    /** Only of a member that has a readable cold copy (spec 1.8). */
    private void retireEvicted() {
        if (member.isReadable(false)) {
            member.copies().stream()
                    .filter(copy -> copy.isHot() && !isRetired(copy))
                    .forEach(copy -> retire(Reason.EVICTED, copy));
        }
    }

    /** The goal is met by standing copies, which are at least one: whatever else is readable is not the last. */
    private void retireBeyondPlacement(boolean hot) {
        List<Copy> standing = standing(hot);
        member.readable()
                .filter(copy -> copy.isHot() == hot && !isStanding(copy))
                .forEach(copy -> retire(Reason.ELSEWHERE, copy));
        if (situation.row().isAsUploaded()) {
            return;
        }
        member.readable()
                .filter(copy -> copy.isHot() == hot && isStanding(copy) && !standing.contains(copy))
                .forEach(copy -> retire(Reason.SURPLUS, copy));
        standing.stream().skip(goal.surplusAbove(hot)).forEach(copy -> retire(Reason.SURPLUS, copy));
    }

    private void retire(Reason reason, Copy copy) {
        retired.computeIfAbsent(reason, _ -> new ArrayList<>()).add(copy.replicaId());
    }

    private boolean isRetired(Copy copy) {
        return retired.values().stream().anyMatch(ids -> ids.contains(copy.replicaId()));
    }

    /** The copies that count: readable, where the placement wants them, one a node; those on roomy nodes first. */
    private List<Copy> standing(boolean hot) {
        Set<UUID> nodes = new HashSet<>();
        return member.readable()
                .filter(copy -> copy.isHot() == hot && isStanding(copy))
                .sorted(Comparator.comparingLong(this::freeBytes).reversed().thenComparing(Copy::replicaId))
                .filter(copy -> nodes.add(copy.nodeId()))
                .toList();
    }

    /** A segment that is being drained gives its copies away. */
    private boolean isStanding(Copy copy) {
        Host host = situation.hosts().get(copy.nodeId());
        return host != null
                && situation.row().wanted().allows(host)
                && host.room(copy.segmentId()).stream().anyMatch(room -> room.state() == SegmentState.MOUNTED);
    }

    private boolean isAllowed(Copy copy) {
        Host host = situation.hosts().get(copy.nodeId());
        return host != null && situation.row().wanted().allows(host);
    }

    private long freeBytes(Copy copy) {
        Host host = situation.hosts().get(copy.nodeId());
        return host == null
                ? 0
                : host.room(copy.segmentId()).map(Host.Room::freeBytes).orElse(0L);
    }
}
