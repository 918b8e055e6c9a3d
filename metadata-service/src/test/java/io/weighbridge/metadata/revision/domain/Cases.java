package io.weighbridge.metadata.revision.domain;

import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.token.Secret;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.ObjectType;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.ledger.vocabulary.Residency;
import io.weighbridge.metadata.revision.domain.Members.Progress;
import io.weighbridge.metadata.revision.domain.Revision.ImportSession;
import io.weighbridge.metadata.revision.domain.Revision.Publication;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One revision with two payloads in every state, every command on it, and what can be seen of its members. */
final class Cases {

    static final RevisionIdentity IDENTITY = new RevisionIdentity("default", "production", "llama-70b", "step-100", 7);
    static final Instant BEGUN = Instant.parse("2026-01-01T00:00:00Z");
    static final Instant UPDATED = BEGUN.plusSeconds(100);
    static final Instant NOW = BEGUN.plusSeconds(200);
    static final String TOKEN = "the-import-token";
    static final long GENERATION = 7;
    static final long COMMIT_FENCE = 5;
    static final long CLAIM = 3;
    static final UUID OPERATION = new UUID(1, 1);
    static final UUID NEXT_OPERATION = new UUID(2, 2);
    static final String KEYS_SHA256 = "0a7cc6d30456fcec0991fcf65f9290b6457950344d983ff5ba81cfaf2d327412";
    static final String MANIFEST_SHA256 = "ab".repeat(32);
    static final ImportSummary SUMMARY = new ImportSummary(2, 2000);
    static final ManifestReference MANIFEST = new ManifestReference(
            IDENTITY.manifestKey(), MANIFEST_SHA256, IDENTITY.payloadGroupId(), KEYS_SHA256, 2, 2000);
    static final Placement ELSEWHERE = new Placement(2, 1, null, null);

    private Cases() {}

    /** The names of the states, as the table says them. */
    enum State {
        NONE,
        IMPORTING,
        READY,
        DEGRADED,
        EVICTING,
        REHYDRATING,
        REPAIRING,
        AUTO,
        DELETING,
        DELETED
    }

    /** The names of the commands, as the table says them. */
    enum Asked {
        BeginImport,
        TakeOver,
        HeartbeatImport,
        CommitImport,
        AbortImport,
        Evict,
        Rehydrate,
        StartRepair,
        StartAutoRepair,
        SetPlacement,
        CancelOperation,
        Delete,
        DeleteNow,
        Observe,
        UpdateProgress,
        FinishOperation,
        FinishDelete
    }

    /** How the fence relates to generation 7, which was committed from 5. */
    enum Expected {
        current(GENERATION),
        previous(GENERATION - 1),
        commit(COMMIT_FENCE),
        old(2),
        ahead(GENERATION + 1);

        private final long generation;

        Expected(long generation) {
            this.generation = generation;
        }

        Fence fence() {
            return Fence.exactly(generation);
        }
    }

    /** What is seen of the members. */
    enum Seen {
        hot,
        cold,
        partial,
        absent,
        leased
    }

    static Revision state(State state) {
        return switch (state) {
            case NONE -> new Revision.NoRevision();
            case IMPORTING -> registered(Availability.IMPORTING, Residency.UNKNOWN, null);
            case READY -> registered(Availability.READY, Residency.HOT, null);
            case DEGRADED -> registered(Availability.DEGRADED, Residency.MIXED, null);
            case EVICTING ->
                registered(Availability.READY, Residency.HOT, operation(OperationKind.EVICTING, Residency.COLD, false));
            case REHYDRATING ->
                registered(
                        Availability.READY, Residency.HOT, operation(OperationKind.REHYDRATING, Residency.HOT, false));
            case REPAIRING ->
                registered(Availability.READY, Residency.HOT, operation(OperationKind.REPAIRING, null, false));
            case AUTO -> registered(Availability.READY, Residency.HOT, operation(OperationKind.REPAIRING, null, true));
            case DELETING -> registered(Availability.DELETING, Residency.HOT, null);
            case DELETED -> registered(Availability.DELETED, Residency.ABSENT, null);
        };
    }

    static Registered registered(Availability availability, Residency residency, @Nullable Operation operation) {
        return registered(availability, residency, operation, GENERATION);
    }

    static Registered registered(
            Availability availability, Residency residency, @Nullable Operation operation, long generation) {
        boolean importing = availability == Availability.IMPORTING;
        return new Registered(
                IDENTITY,
                SUMMARY,
                new ImportSession(Secret.hash(TOKEN), "trainer", importing ? BEGUN : null),
                importing ? null : new Publication(MANIFEST, COMMIT_FENCE, UPDATED),
                availability,
                residency,
                Residency.HOT,
                operation,
                generation,
                Map.of("run", "a"),
                Placement.DEFAULT,
                null,
                BEGUN,
                UPDATED);
    }

    static Operation operation(OperationKind kind, @Nullable Residency target, boolean automatic) {
        return new Operation(
                OPERATION, kind, target, true, automatic, GENERATION - 1, UPDATED, UPDATED, 0, 3, null, null, CLAIM);
    }

    static RevisionCommand command(Asked asked, Fence fence) {
        return switch (asked) {
            case BeginImport -> begin(false, "trainer", false);
            case TakeOver -> begin(true, "trainer", false);
            case HeartbeatImport -> new RevisionCommand.HeartbeatImport(TOKEN);
            case CommitImport -> new RevisionCommand.CommitImport(fence, MANIFEST);
            case AbortImport -> new RevisionCommand.AbortImport(fence, null);
            case Evict -> new RevisionCommand.StartResidencyOperation(fence, Residency.COLD, NEXT_OPERATION);
            case Rehydrate -> new RevisionCommand.StartResidencyOperation(fence, Residency.HOT, NEXT_OPERATION);
            case StartRepair -> new RevisionCommand.StartRepair(fence, NEXT_OPERATION);
            case StartAutoRepair -> new RevisionCommand.StartAutoRepair(fence, NEXT_OPERATION, CLAIM);
            case SetPlacement -> new RevisionCommand.SetPlacement(fence, ELSEWHERE);
            case CancelOperation -> new RevisionCommand.CancelOperation(OPERATION);
            case Delete -> new RevisionCommand.Delete(fence, true, Duration.ofMinutes(10));
            case DeleteNow -> new RevisionCommand.Delete(fence, false, Duration.ofMinutes(10));
            case Observe -> new RevisionCommand.Observe(null, CLAIM);
            case UpdateProgress -> new RevisionCommand.UpdateProgress(OPERATION, CLAIM);
            case FinishOperation -> new RevisionCommand.FinishOperation(OPERATION, CLAIM);
            case FinishDelete -> new RevisionCommand.FinishDelete();
        };
    }

    /** As a reconciler asks it that knows the active operation. */
    static RevisionCommand command(Revision state, Asked asked, Fence fence) {
        return asked == Asked.Observe && state instanceof Registered revision && revision.operation() != null
                ? new RevisionCommand.Observe(OPERATION, CLAIM)
                : command(asked, fence);
    }

    static RevisionCommand.BeginImport begin(boolean takeover, String subject, boolean administrator) {
        return new RevisionCommand.BeginImport(
                IDENTITY, SUMMARY, null, null, null, takeover, subject, administrator, Secret.hash("another-token"));
    }

    static Circumstances seen(Seen seen) {
        return new Circumstances(NOW, seen == Seen.leased, members(seen));
    }

    static Members members(Seen seen) {
        Progress all = new Progress(3, IDENTITY.manifestKey());
        Progress two = new Progress(2, "payload-b");
        Progress none = Progress.NONE;
        return switch (seen) {
            case hot, leased -> members(3, 3, all, none, all, 0, 3);
            case cold -> members(3, 3, none, all, none, 0, 3);
            case partial -> members(3, 2, two, none, two, 0, 2);
            case absent -> Members.NONE;
        };
    }

    static Members members(
            long count, long readable, Progress hot, Progress cold, Progress placed, long surplus, long unremoved) {
        return new Members(
                count,
                readable,
                0,
                2000,
                KEYS_SHA256,
                ObjectType.METADATA,
                MANIFEST_SHA256,
                hot,
                cold,
                placed,
                surplus,
                unremoved);
    }
}
