package io.weighbridge.metadata.revision.postgres;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.store.OplogEntry;
import io.weighbridge.ledger.vocabulary.EntryKind;
import io.weighbridge.metadata.revision.RevisionViews;
import io.weighbridge.metadata.revision.domain.Operation;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import io.weighbridge.metadata.revision.domain.RevisionEvent;
import io.weighbridge.wire.WireJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the oplog keeps of a revision's events: the full state after them (spec 1.9). An entry of a revision also holds
 * the operations that changed with it, so that both can be restored from it. The hash of the import token is in it too
 * (of 256 random bits, so it opens nothing); the feed's edge leaves it out.
 */
final class RevisionEntries {

    private static final JsonMapper JSON = WireJson.newMapper();

    private RevisionEntries() {}

    /** @param touched the operations that the events started or changed, as they are now */
    static List<OplogEntry> of(Registered after, List<RevisionEvent> events, List<Operation> touched, String subject) {
        List<OplogEntry> entries = new ArrayList<>();
        for (RevisionEvent event : events) {
            EntryKind kind = kind(event);
            if (kind != null) {
                entries.add(
                        kind == EntryKind.OperationProgressed
                                ? progress(after, subject)
                                : revision(kind, after, touched, subject));
            }
        }
        return entries;
    }

    /** Null for what is not logged (heartbeats, claims), or is told by the event that follows. */
    private static @Nullable EntryKind kind(RevisionEvent event) {
        return switch (event) {
            case RevisionEvent.ImportBegun _ -> EntryKind.ImportBegun;
            case RevisionEvent.ImportTakenOver _ -> EntryKind.ImportTakenOver;
            case RevisionEvent.ImportHeartbeatSeen _ -> null;
            case RevisionEvent.ImportCommitted _ -> EntryKind.ImportCommitted;
            case RevisionEvent.ImportAborted _ -> EntryKind.ImportAborted;
            case RevisionEvent.OperationStarted _ -> EntryKind.OperationStarted;
            case RevisionEvent.OperationSuperseded _ -> null;
            case RevisionEvent.OperationProgressed _ -> EntryKind.OperationProgressed;
            case RevisionEvent.OperationClaimed _ -> null;
            case RevisionEvent.OperationFinished _ -> EntryKind.OperationFinished;
            case RevisionEvent.OperationCancelled _ -> EntryKind.OperationCancelled;
            case RevisionEvent.PlacementSet _ -> EntryKind.PlacementSet;
            case RevisionEvent.RevisionObserved _ -> EntryKind.RevisionObserved;
            case RevisionEvent.DeleteStarted _ -> EntryKind.DeleteStarted;
            case RevisionEvent.DeleteFinished _ -> EntryKind.DeleteFinished;
        };
    }

    private static OplogEntry revision(EntryKind kind, Registered after, List<Operation> touched, String subject) {
        ObjectNode state = JSON.valueToTree(RevisionViews.of(after));
        state.put("last_residency_target", after.lastTarget().name());
        state.put("import_token_hash", after.session().tokenHash());
        state.put("import_subject", after.session().subject());
        for (Operation operation : touched) {
            state.withArray("operations").add(operation(after.id(), operation));
        }
        return new OplogEntry(
                kind,
                after.id().hex(),
                after.generation(),
                after.identity().tenantId(),
                after.id(),
                null,
                subject,
                state.toString());
    }

    /** Its version is the operation's last change in milliseconds, which the decider lets only grow. */
    private static OplogEntry progress(Registered after, String subject) {
        Operation operation = Objects.requireNonNull(after.operation());
        return new OplogEntry(
                EntryKind.OperationProgressed,
                operation.operationId().toString(),
                operation.updatedAt().toEpochMilli(),
                after.identity().tenantId(),
                after.id(),
                null,
                subject,
                operation(after.id(), operation).toString());
    }

    private static ObjectNode operation(RevisionId revision, Operation operation) {
        ObjectNode state = JSON.valueToTree(RevisionViews.of(revision, operation));
        return state.put("claim_epoch", operation.claimEpoch());
    }
}
