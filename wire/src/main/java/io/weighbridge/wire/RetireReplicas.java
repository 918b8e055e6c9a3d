package io.weighbridge.wire;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/internal/replicas/retire}: make copies unreadable. Refused where it would take the last readable copy
 * other than by a delete.
 *
 * @param operationId absent only when the revision is DELETING
 */
public record RetireReplicas(String revisionId, @Nullable UUID operationId, long claimEpoch, List<UUID> replicaIds) {}
