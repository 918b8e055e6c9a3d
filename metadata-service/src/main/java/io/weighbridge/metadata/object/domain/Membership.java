package io.weighbridge.metadata.object.domain;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.token.Secret;
import io.weighbridge.ledger.vocabulary.Availability;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a write to a member of a managed group is checked against, read under the revision's shared guard (spec 1.6).
 *
 * @param importTokenHash of the import token that every member put must carry
 * @param storedPayloads members other than the manifest that are committed
 */
public record Membership(
        RevisionId revisionId,
        String tenantId,
        Availability availability,
        String importTokenHash,
        String manifestKey,
        long expectedPayloadCount,
        long storedPayloads) {

    /** Why a client may not write to the group now. */
    Optional<PutRefusal> refuses(@Nullable String importToken) {
        if (importToken == null || !Secret.matches(importToken, importTokenHash)) {
            return Optional.of(PutRefusal.IMPORT_TOKEN_DEAD);
        }
        return refusesWithoutToken();
    }

    /** The same for a write whose own token dies with the import token. */
    Optional<PutRefusal> refusesWithoutToken() {
        return switch (availability) {
            case IMPORTING -> Optional.empty();
            case READY, DEGRADED, DELETING, DELETED -> Optional.of(PutRefusal.NOT_IMPORTING);
        };
    }

    boolean lacksPayloads() {
        return storedPayloads < expectedPayloadCount;
    }
}
