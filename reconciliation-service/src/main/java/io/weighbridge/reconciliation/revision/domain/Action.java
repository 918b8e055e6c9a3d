package io.weighbridge.reconciliation.revision.domain;

import io.weighbridge.ledger.vocabulary.Tier;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One thing to do. Each may be done twice, or too late, without harm. */
public sealed interface Action {

    /** Make one more copy of a member; {@code sources} are readable copies, best first. */
    record CopyMember(String key, List<UUID> sources, Tier tier, UUID nodeId) implements Action {}

    /** Make copies unreadable; metadata-service refuses what would take the last readable one. */
    record RetireReplicas(List<UUID> replicaIds, Reason reason) implements Action {}

    /** Tell how far the operation is. */
    record ReportProgress(long processedMembers, @Nullable String cursor) implements Action {}

    /** The operation's target is reached. */
    record Finish(long processedMembers, @Nullable String cursor) implements Action {}

    /** Nothing of a deleted revision is left. */
    record FinishDelete() implements Action {}

    /** What is seen differs from the row. */
    record Observe() implements Action {}

    /** Start an operation of our own towards the placement. */
    record StartRepair(long expectedGeneration) implements Action {}

    /** The importer is gone; refused if it has been heard of within {@code idle} after all. */
    record AbortImport(long expectedGeneration, Duration idle) implements Action {}

    /** Why copies are retired. */
    enum Reason {
        /** The member is on a cold tier now. */
        EVICTED,
        /** More copies than wanted. */
        SURPLUS,
        /** On a node or segment that shall not hold it. */
        ELSEWHERE,
        /** Not readable any more, and there are enough others. */
        LOST,
        /** Its transfer failed or is unknown to its agent. */
        ABANDONED,
        /** The revision is being deleted. */
        DELETED
    }
}
