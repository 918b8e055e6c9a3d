package io.weighbridge.metadata.revision.domain;

import io.weighbridge.ledger.vocabulary.Availability;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which rows a list holds, and after which of them it goes on. */
public sealed interface Listing {

    /**
     * Which revisions of one resource.
     *
     * @param availability none: all but DELETED
     * @param labels all of them must be there
     */
    record Filter(
            String tenantId,
            String namespace,
            String resourceId,
            List<Availability> availability,
            Map<String, String> labels,
            boolean includeDeleted)
            implements Listing {}

    /** Strictly after this revision in the order of revision bytes and generation. */
    record AfterRevision(String revision, long weightGeneration) implements Listing {}

    /**
     * Strictly after this one in the order of commits; what is not committed comes last.
     *
     * @param committedAt null: among those not committed
     */
    record AfterCommit(@Nullable Instant committedAt, String revisionId) implements Listing {}

    /** Strictly after this operation in the order of starts. */
    record AfterOperation(Instant startedAt, UUID operationId) implements Listing {}
}
