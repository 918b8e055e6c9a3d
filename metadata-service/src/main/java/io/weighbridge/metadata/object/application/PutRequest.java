package io.weighbridge.metadata.object.application;

import io.weighbridge.metadata.object.domain.PutCommand;
import io.weighbridge.metadata.object.domain.Wanted;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One item of a batch, before the ledger has been read. */
public sealed interface PutRequest {

    /** Who asks. */
    String subject();

    /**
     * PutStart.
     *
     * @param managed the group's name says that a revision manages it
     */
    record Start(
            String tenantId,
            String subject,
            String key,
            String objectId,
            Wanted wanted,
            boolean managed,
            int copies,
            @Nullable UUID preferredNode,
            @Nullable String importToken)
            implements PutRequest {}

    /** PutEnd. */
    record End(
            String subject,
            String objectId,
            String writeToken,
            @Nullable Long size,
            @Nullable String digest,
            @Nullable String importToken)
            implements PutRequest {}

    /** PutRevoke. */
    record Revoke(String subject, String objectId, String writeToken) implements PutRequest {}

    /** What an agent says of a copy on its own node. */
    record Report(
            UUID nodeId,
            UUID agentIncarnation,
            String subject,
            UUID replicaId,
            @Nullable String writeToken,
            What what) implements PutRequest {}

    /** What happened to a copy. */
    sealed interface What {
        /** The first byte arrived. */
        record Opened() implements What {}

        /** All bytes arrived. */
        record AllStored(long size, String digest, List<Long> crc32c) implements What {}

        /** No byte is taken any more. */
        record Closed() implements What {}

        /** The bytes are damaged or missing. */
        record Corrupt() implements What {}

        /** The extent is free. */
        record Freed() implements What {}
    }

    /** What the service itself wants of an object: expiry, cleaning. */
    record Housekeeping(String subject, String objectId, PutCommand command) implements PutRequest {}
}
