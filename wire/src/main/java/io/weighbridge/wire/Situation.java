package io.weighbridge.wire;

import io.weighbridge.ledger.vocabulary.Residency;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/internal/revisions/{id}/situation}: all that a reconciler plans from, read in one snapshot.
 *
 * @param operation the active one
 * @param liveLeases leases that have not expired
 * @param lastResidencyTarget HOT after a commit or a finished rehydration, COLD after a finished eviction
 * @param importHeartbeatAgeMs only while IMPORTING
 */
public record Situation(
        RevisionView revision,
        @Nullable OperationView operation,
        long liveLeases,
        Residency lastResidencyTarget,
        @Nullable Long importHeartbeatAgeMs,
        Instant databaseTime,
        List<MemberView> members,
        List<NodeView> nodes) {}
