package io.weighbridge.metadata.revision.domain;

import static io.weighbridge.ledger.decision.Decision.accepted;
import static io.weighbridge.ledger.decision.Decision.refused;
import static io.weighbridge.ledger.decision.Decision.unchanged;

import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.key.Utf8;
import io.weighbridge.ledger.token.Secret;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.metadata.revision.domain.Revision.Publication;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one revision. Pure: the same arguments give the same decision. The order of the checks in each method is
 * that of the command's row in spec 1.5, and it decides which refusal is answered.
 */
public final class RevisionDecider {

    /** The heartbeat row is written at most this often. */
    static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(10);

    /** The longest time for which a delete lets leases be renewed. */
    static final Duration DRAIN_MAX = Duration.ofDays(1);

    private RevisionDecider() {}

    /** Decides one command; nothing has happened yet. */
    public static Decision<RevisionEvent> decide(Revision state, RevisionCommand command, Circumstances seen) {
        return switch (state) {
            case Revision.NoRevision() -> decideWithout(command, seen);
            case Registered revision -> exhausted(revision, decide(revision, command, seen));
        };
    }

    private static Decision<RevisionEvent> decideWithout(RevisionCommand command, Circumstances seen) {
        return switch (command) {
            case RevisionCommand.BeginImport begin -> {
                Decision<RevisionEvent> refusal = checkArguments(begin);
                yield refusal != null ? refusal : accepted(begun(begin, seen.now()));
            }
            case RevisionCommand.StartResidencyOperation start
            when !isTarget(start.target()) -> refused(RevisionRefusal.TARGET_UNSUPPORTED.problem());
            case RevisionCommand.Delete delete
            when !isDrain(delete.drain()) -> refused(RevisionRefusal.DRAIN_OUT_OF_RANGE.problem());
            case RevisionCommand.HeartbeatImport _,
                    RevisionCommand.CommitImport _,
                    RevisionCommand.AbortImport _,
                    RevisionCommand.StartResidencyOperation _,
                    RevisionCommand.StartRepair _,
                    RevisionCommand.StartAutoRepair _,
                    RevisionCommand.SetPlacement _,
                    RevisionCommand.CancelOperation _,
                    RevisionCommand.Delete _,
                    RevisionCommand.Observe _,
                    RevisionCommand.UpdateProgress _,
                    RevisionCommand.FinishOperation _,
                    RevisionCommand.FinishDelete _ -> refused(RevisionRefusal.REVISION_UNKNOWN.problem());
        };
    }

    private static Decision<RevisionEvent> decide(Registered revision, RevisionCommand command, Circumstances seen) {
        return switch (command) {
            case RevisionCommand.BeginImport begin -> begin(revision, begin, seen);
            case RevisionCommand.HeartbeatImport beat -> heartbeat(revision, beat, seen);
            case RevisionCommand.CommitImport commit -> commit(revision, commit, seen);
            case RevisionCommand.AbortImport abort -> abort(revision, abort, seen);
            case RevisionCommand.StartResidencyOperation start -> OperationRules.startResidency(revision, start, seen);
            case RevisionCommand.StartRepair start -> OperationRules.startRepair(revision, start, seen);
            case RevisionCommand.StartAutoRepair start -> OperationRules.startAutoRepair(revision, start, seen);
            case RevisionCommand.SetPlacement set -> setPlacement(revision, set, seen);
            case RevisionCommand.CancelOperation cancel -> OperationRules.cancel(revision, cancel, seen);
            case RevisionCommand.Delete delete -> delete(revision, delete, seen);
            case RevisionCommand.Observe observe -> OperationRules.observe(revision, observe, seen);
            case RevisionCommand.UpdateProgress update -> OperationRules.updateProgress(revision, update, seen);
            case RevisionCommand.FinishOperation finish -> OperationRules.finish(revision, finish, seen);
            case RevisionCommand.FinishDelete _ -> finishDelete(revision, seen);
        };
    }

    private static @Nullable Decision<RevisionEvent> checkArguments(RevisionCommand.BeginImport begin) {
        if (Utf8.bytes(begin.identity().manifestKey()).length > Validation.TEXT_BYTES_MAX) {
            return refused(RevisionRefusal.MANIFEST_KEY_TOO_LONG.problem());
        }
        String group = begin.payloadGroupId();
        if (group != null && !group.equals(begin.identity().payloadGroupId())) {
            return refused(RevisionRefusal.GROUP_NOT_CANONICAL.problem());
        }
        return null;
    }

    private static RevisionEvent begun(RevisionCommand.BeginImport begin, Instant now) {
        Map<String, String> labels = begin.labels();
        Placement placement = begin.placement();
        return new RevisionEvent.ImportBegun(
                begin.identity(),
                begin.summary(),
                labels == null ? Map.of() : labels,
                placement == null ? Placement.DEFAULT : placement,
                begin.tokenHash(),
                begin.subject(),
                now);
    }

    private static Decision<RevisionEvent> begin(
            Registered revision, RevisionCommand.BeginImport begin, Circumstances seen) {
        Decision<RevisionEvent> refusal = checkArguments(begin);
        if (refusal != null) {
            return refusal;
        }
        boolean alike = revision.summary().equals(begin.summary())
                && (begin.labels() == null || begin.labels().equals(revision.labels()));
        return switch (revision.availability()) {
            case IMPORTING, READY -> {
                if (!alike) {
                    yield refused(RevisionRefusal.IDENTITY_TAKEN.problem(
                            "the identity is taken with other payload count, logical bytes or labels"));
                }
                yield begin.takeover() && revision.availability() == Availability.IMPORTING
                        ? takeOver(revision, begin, seen)
                        : unchanged();
            }
            case DEGRADED, DELETING, DELETED -> refused(RevisionRefusal.IDENTITY_TAKEN.problem());
        };
    }

    private static Decision<RevisionEvent> takeOver(
            Registered revision, RevisionCommand.BeginImport begin, Circumstances seen) {
        if (!begin.administrator() && !begin.subject().equals(revision.session().subject())) {
            return refused(RevisionRefusal.NOT_THE_IMPORTER.problem());
        }
        return accepted(
                new RevisionEvent.ImportTakenOver(begin.tokenHash(), begin.subject(), revision.notBefore(seen.now())));
    }

    private static Decision<RevisionEvent> heartbeat(
            Registered revision, RevisionCommand.HeartbeatImport beat, Circumstances seen) {
        String token = beat.importToken();
        if (token == null || !Secret.matches(token, revision.session().tokenHash())) {
            return refused(RevisionRefusal.IMPORT_TOKEN_STALE.problem());
        }
        if (revision.availability() != Availability.IMPORTING) {
            return refused(RevisionRefusal.NOT_IMPORTING.problem());
        }
        Instant last = revision.session().beatAt();
        return last != null && seen.now().isBefore(last.plus(HEARTBEAT_INTERVAL))
                ? unchanged()
                : accepted(new RevisionEvent.ImportHeartbeatSeen(seen.now()));
    }

    private static Decision<RevisionEvent> commit(
            Registered revision, RevisionCommand.CommitImport commit, Circumstances seen) {
        Publication published = revision.publication();
        if (published != null && revision.isPublished()) {
            if (!published.manifest().equals(commit.manifest())) {
                return refused(RevisionRefusal.PUBLISHED_DIFFERENTLY.problem());
            }
            return commit.fence().matches(published.commitFence())
                            || commit.fence().isAdjacent(revision.generation())
                    ? unchanged()
                    : stale(commit.fence(), revision);
        }
        if (!commit.fence().matches(revision.generation())) {
            return stale(commit.fence(), revision);
        }
        if (revision.availability() != Availability.IMPORTING) {
            return refused(RevisionRefusal.NOT_IMPORTING.problem());
        }
        ManifestReference manifest = commit.manifest();
        if (!manifest.payloadGroupId().equals(revision.identity().payloadGroupId())) {
            return refused(RevisionRefusal.GROUP_NOT_CANONICAL.problem());
        }
        if (!manifest.manifestKey().equals(revision.identity().manifestKey())) {
            return refused(RevisionRefusal.MANIFEST_KEY_NOT_CANONICAL.problem());
        }
        if (manifest.payloadCount() != revision.summary().payloadCount()
                || manifest.logicalBytes() != revision.summary().logicalBytes()) {
            return refused(RevisionRefusal.SUMMARY_DIFFERS.problem());
        }
        return CommitCheck.check(manifest, seen.members())
                .<Decision<RevisionEvent>>map(Decision::refused)
                .orElseGet(() -> accepted(new RevisionEvent.ImportCommitted(
                        manifest,
                        revision.generation(),
                        seen.members().residency(revision.totalMembers()),
                        revision.notBefore(seen.now()))));
    }

    private static Decision<RevisionEvent> abort(
            Registered revision, RevisionCommand.AbortImport abort, Circumstances seen) {
        if (revision.availability() == Availability.DELETING) {
            return abort.fence().isAdjacent(revision.generation()) ? unchanged() : stale(abort.fence(), revision);
        }
        if (!abort.fence().matches(revision.generation())) {
            return stale(abort.fence(), revision);
        }
        if (revision.availability() != Availability.IMPORTING) {
            return refused(RevisionRefusal.NOT_IMPORTING.problem());
        }
        Duration idle = abort.idle();
        Instant beat = Objects.requireNonNullElse(revision.session().beatAt(), revision.createdAt());
        if (idle != null && seen.now().isBefore(beat.plus(idle))) {
            return refused(RevisionRefusal.IMPORT_ALIVE.problem());
        }
        return accepted(new RevisionEvent.ImportAborted(revision.notBefore(seen.now())));
    }

    private static Decision<RevisionEvent> setPlacement(
            Registered revision, RevisionCommand.SetPlacement set, Circumstances seen) {
        if (!set.fence().matches(revision.generation())) {
            return stale(set.fence(), revision);
        }
        if (!revision.isPublished()) {
            return refused(RevisionRefusal.NOT_PUBLISHED.problem());
        }
        return set.placement().equals(revision.placement())
                ? unchanged()
                : OperationRules.afterAutomatic(
                        revision, new RevisionEvent.PlacementSet(set.placement(), revision.notBefore(seen.now())));
    }

    private static Decision<RevisionEvent> delete(
            Registered revision, RevisionCommand.Delete delete, Circumstances seen) {
        if (!isDrain(delete.drain())) {
            return refused(RevisionRefusal.DRAIN_OUT_OF_RANGE.problem());
        }
        switch (revision.availability()) {
            case DELETED -> {
                return unchanged();
            }
            case DELETING -> {
                return delete.fence().isAdjacent(revision.generation()) ? unchanged() : stale(delete.fence(), revision);
            }
            case IMPORTING, READY, DEGRADED -> {}
        }
        if (!delete.fence().matches(revision.generation())) {
            return stale(delete.fence(), revision);
        }
        Operation operation = revision.operation();
        if (operation != null && !operation.automatic()) {
            return refused(RevisionRefusal.OPERATION_ACTIVE.problem(
                    "the operation " + operation.operationId() + " is active"));
        }
        if (revision.availability() == Availability.IMPORTING) {
            return refused(RevisionRefusal.STILL_IMPORTING.problem());
        }
        if (!delete.waitForLeases() && seen.leased()) {
            return refused(RevisionRefusal.LEASED.problem());
        }
        Instant at = revision.notBefore(seen.now());
        return OperationRules.afterAutomatic(revision, new RevisionEvent.DeleteStarted(at.plus(delete.drain()), at));
    }

    private static Decision<RevisionEvent> finishDelete(Registered revision, Circumstances seen) {
        if (revision.availability() == Availability.DELETED) {
            return unchanged();
        }
        if (revision.availability() != Availability.DELETING) {
            return refused(RevisionRefusal.NOT_DELETING.problem());
        }
        if (seen.leased() || seen.members().unremoved() > 0) {
            return refused(RevisionRefusal.STILL_PRESENT.problem());
        }
        return accepted(new RevisionEvent.DeleteFinished(revision.notBefore(seen.now())));
    }

    /** A generation that would advance beyond the last one is refused instead, whatever the command (spec 1.2). */
    private static Decision<RevisionEvent> exhausted(Registered revision, Decision<RevisionEvent> decision) {
        return switch (decision) {
            case Decision.Accepted<RevisionEvent>(var events) ->
                revision.generation() >= Validation.COUNTER_MAX
                                && events.stream().anyMatch(RevisionEvent::advancesGeneration)
                        ? refused(RevisionRefusal.GENERATION_EXHAUSTED.problem())
                        : decision;
            case Decision.Unchanged<RevisionEvent> _, Decision.Refused<RevisionEvent> _ -> decision;
        };
    }

    static boolean isTarget(Residency target) {
        return target == Residency.HOT || target == Residency.COLD;
    }

    private static boolean isDrain(Duration drain) {
        return !drain.isNegative() && drain.compareTo(DRAIN_MAX) <= 0;
    }

    static Decision<RevisionEvent> stale(Fence fence, Registered revision) {
        return refused(RevisionRefusal.stale(fence, revision.generation()));
    }

    static OperationKind kindOf(Residency target) {
        return target == Residency.COLD ? OperationKind.EVICTING : OperationKind.REHYDRATING;
    }
}
