package io.weighbridge.wire;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/revisions/imports} (spec 1.5).
 *
 * @param tenantId refused unless it is the credential's own tenant
 * @param labels at most 32
 * @param payloadGroupId must be the canonical one where given
 * @param takeover issues a new import token for an import in progress and revokes its pending puts
 */
public record BeginImport(
        @Nullable String tenantId,
        String namespace,
        String resourceId,
        String revision,
        long weightGeneration,
        long expectedPayloadCount,
        long expectedLogicalBytes,
        @Nullable Map<String, String> labels,
        @Nullable Placement placement,
        @Nullable String payloadGroupId,
        @Nullable Boolean takeover) {}
