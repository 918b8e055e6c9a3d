package io.weighbridge.reconciliation.revision.domain;

import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.reconciliation.revision.domain.Action.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * What to do about one revision (spec 1.8). It looks at levels only: what is so and what is wanted, never at what
 * happened; so it may be asked at any time, by anybody, again.
 */
public final class Planner {

    private final Limits limits;

    public Planner(Limits limits) {
        this.limits = limits;
    }

    /** @param now the ledger's clock at the time of the situation */
    public Plan plan(RevisionSituation situation, Instant now) {
        return switch (situation.row().availability()) {
            case IMPORTING -> importing(situation, now);
            case READY, DEGRADED -> {
                ActiveOperation operation = situation.operation();
                yield operation == null ? steady(situation, now) : operating(situation, operation, now);
            }
            case DELETING -> deleting(situation, now);
            case DELETED -> Plan.settled();
        };
    }

    private Plan importing(RevisionSituation situation, Instant now) {
        Duration age = Objects.requireNonNullElse(situation.heartbeatAge(), Duration.ZERO);
        return age.compareTo(limits.abandonAfter()) >= 0
                ? Plan.act(now, new Action.AbortImport(situation.row().generation(), limits.abandonAfter()))
                : Plan.waitUntil(now.plus(limits.abandonAfter().minus(age)));
    }

    /** Tell what is seen; then, if the placement asks for it and something can be done, start a repair. */
    private Plan steady(RevisionSituation situation, Instant now) {
        RevisionRow row = situation.row();
        if (Observation.of(row, situation.members()).differsFrom(row)) {
            return Plan.act(now, new Action.Observe());
        }
        OperationWork repair = OperationWork.of(situation, OperationKind.REPAIRING, limits);
        if (repair.isWorthStarting()) {
            return Plan.act(now, new Action.StartRepair(row.generation()));
        }
        return repair.isMoving() ? Plan.waitUntil(now.plus(limits.lookAgainMoving())) : Plan.settled();
    }

    private Plan operating(RevisionSituation situation, ActiveOperation operation, Instant now) {
        OperationWork work = OperationWork.of(situation, operation.kind(), limits);
        List<Action> actions = work.actions();
        if (work.isIdle() && isComplete(situation, work)) {
            return Plan.act(now, new Action.Finish(work.satisfied(), work.cursor()));
        }
        if (work.isIdle() && hidesLoss(situation)) {
            return Plan.act(now, new Action.Observe());
        }
        if (work.satisfied() != operation.processedMembers() || !Objects.equals(work.cursor(), operation.cursor())) {
            actions = new ArrayList<>(actions);
            actions.add(new Action.ReportProgress(work.satisfied(), work.cursor()));
        }
        return new Plan(actions, now.plus(pause(work, actions)));
    }

    private Duration pause(OperationWork work, List<Action> actions) {
        if (actions.stream().anyMatch(Action.RetireReplicas.class::isInstance) && !work.isMoving()) {
            return Duration.ZERO;
        }
        return work.isMoving() || work.isLater() ? limits.lookAgainMoving() : limits.lookAgainStuck();
    }

    private static boolean isComplete(RevisionSituation situation, OperationWork work) {
        RevisionRow.Published published = situation.row().published();
        return published != null
                && work.satisfied() == situation.members().size()
                && work.satisfied() == published.payloadCount() + 1;
    }

    /** Nothing can be done for now: readers must not be told something else than what is so. */
    private static boolean hidesLoss(RevisionSituation situation) {
        return Observation.of(situation.row(), situation.members()).availability()
                != situation.row().availability();
    }

    /**
     * Payloads, then the manifest, then the end. Nothing goes while one lease lives, however long: past the drain
     * deadline it can only run out.
     */
    private Plan deleting(RevisionSituation situation, Instant now) {
        if (situation.liveLeases() > 0) {
            return Plan.waitUntil(now.plus(limits.lookAgainStuck()));
        }
        String manifestKey = situation.row().manifestKey();
        List<UUID> payloads = copies(situation, manifestKey, false);
        List<UUID> left = payloads.isEmpty() ? copies(situation, manifestKey, true) : payloads;
        return left.isEmpty()
                ? Plan.act(now, new Action.FinishDelete())
                : Plan.act(now, new Action.RetireReplicas(left, Reason.DELETED));
    }

    private List<UUID> copies(RevisionSituation situation, String manifestKey, boolean ofManifest) {
        return situation.members().stream()
                .filter(member -> member.key().equals(manifestKey) == ofManifest)
                .flatMap(member -> member.copies().stream())
                .map(Copy::replicaId)
                .limit(limits.retiresPerPass())
                .toList();
    }
}
