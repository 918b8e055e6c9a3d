package io.weighbridge.lease.revisionlease.application;

import io.weighbridge.lease.revisionlease.domain.LeaseCommand.Acquire;
import io.weighbridge.lease.revisionlease.postgres.LeaseRows.HolderKey;
import io.weighbridge.lease.revisionlease.postgres.RevisionRows.Wanted;
import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.store.Randomness;
import io.weighbridge.ledger.token.Secret;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An acquiring command with what its answer needs besides.
 *
 * @param token whose hash is in the command
 * @param whole the answer tells the revision
 */
record Acquiring(Acquire command, String token, boolean whole) {

    /** @throws io.weighbridge.ledger.problem.ProblemException INVALID_ARGUMENT */
    static Acquiring of(
            @Nullable String tenantId,
            String subject,
            RevisionId revisionId,
            Fence fence,
            String holder,
            Duration ttl,
            boolean whole) {
        String token = Randomness.secret();
        Acquire command =
                new Acquire(tenantId, revisionId, fence, holder, ttl, subject, Randomness.id(), Secret.hash(token));
        return new Acquiring(command, token, whole);
    }

    HolderKey key() {
        return new HolderKey(command.revisionId(), command.holder(), command.tenantId());
    }

    Wanted wanted() {
        return new Wanted(command.revisionId(), command.tenantId());
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "Acquiring[" + command + "]";
    }
}
