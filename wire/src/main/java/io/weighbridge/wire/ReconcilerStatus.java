package io.weighbridge.wire;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/reconciler/status}: what the loop measures about itself (spec 1.8).
 */
public record ReconcilerStatus(
        Map<String, Long> revisionsByAvailability,
        Map<String, Long> revisionsByResidency,
        long activeLeases,
        long pendingOperations,
        @Nullable Long oldestOperationAgeMs,
        long failures,
        long claimed,
        long queued) {}
