package io.weighbridge.wire;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/nodes/{id}/reports}: what happened to copies, repeated until answered (spec 5.2).
 */
public record Reports(UUID agentIncarnation, List<Reports.Item> items) {

    /** What an agent saw. */
    public enum Event {
        /** The first byte arrived or the extent was prepared. */
        OPENED,
        /** All bytes are there, durable as far as the tier makes them so. */
        STORED,
        /** The write token is closed; no byte will be taken under it. */
        CLOSED,
        /** The bytes are damaged or missing. */
        CORRUPT,
        /** The extent is free. */
        FREED
    }

    /**
     * @param writeToken with OPENED and STORED
     * @param size with STORED, bytes
     * @param digest with STORED: SHA-256 of a METADATA object, tree digest otherwise
     * @param crc32c with STORED: one per 4 MiB chunk, as unsigned 32-bit values
     */
    public record Item(
            UUID replicaId,
            @Nullable String writeToken,
            Event event,
            @Nullable Long size,
            @Nullable String digest,
            @Nullable List<Long> crc32c) {}
}
