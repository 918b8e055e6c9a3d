package io.weighbridge.wire;

import java.time.Instant;
import java.util.UUID;

/**
 * A revision lease without its token.
 */
public record LeaseView(
        UUID leaseId, String revisionId, String holder, Instant expiresAt, long fencedMetadataGeneration) {}
