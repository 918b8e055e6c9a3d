package io.weighbridge.lease.revisionlease.domain;

import io.weighbridge.lease.revisionlease.domain.LeaseCommand.Acquire;
import io.weighbridge.lease.revisionlease.domain.LeaseCommand.Renew;
import io.weighbridge.lease.revisionlease.domain.LeaseCommand.Return;
import io.weighbridge.lease.revisionlease.domain.LeaseEvent.Cause;
import io.weighbridge.lease.revisionlease.domain.LeaseState.Lease;
import io.weighbridge.lease.revisionlease.domain.LeaseState.Revision;
import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.key.Utf8;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.OperationKind;
import java.security.MessageDigest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The rules of revision leases: the checks of spec 1.5's rows, in their order. */
public final class LeaseDecider {

    private LeaseDecider() {}

    /** @param now the database's clock after the guard, in whole milliseconds */
    public static Decision<LeaseEvent> decide(LeaseState state, LeaseCommand command, Instant now) {
        return switch (command) {
            case Acquire acquire -> acquire(state, acquire, now);
            case Renew renew -> renew(state, renew, now);
            case Return giveBack -> giveBack(state, giveBack);
        };
    }

    private static Decision<LeaseEvent> acquire(LeaseState state, Acquire command, Instant now) {
        Revision revision = state.revision();
        if (revision == null || !isVisible(revision.tenantId(), command)) {
            return refused(LeaseRefusal.REVISION_NOT_FOUND);
        }
        if (!command.fence().matches(revision.generation())) {
            return Decision.refused(Problem.staleGeneration(command.fence(), revision.generation()));
        }
        if (revision.availability() != Availability.READY) {
            return Decision.refused(LeaseRefusal.REVISION_NOT_READY.problem().withGeneration(revision.generation()));
        }
        if (revision.operation() == OperationKind.EVICTING) {
            return refused(LeaseRefusal.REVISION_EVICTING);
        }
        Lease held = state.lease();
        return held != null && held.isLive(now)
                ? reissue(held, command, now)
                : Decision.accepted(new LeaseEvent.Granted(granted(revision, command, now), held));
    }

    private static Decision<LeaseEvent> reissue(Lease held, Acquire command, Instant now) {
        if (!held.subject().equals(command.subject())) {
            return refused(LeaseRefusal.HOLDER_TAKEN);
        }
        if (held.version() >= Validation.COUNTER_MAX) {
            return refused(LeaseRefusal.VERSION_EXHAUSTED);
        }
        Instant expiresAt = later(held.expiresAt(), now.plus(command.ttl()));
        return Decision.accepted(new LeaseEvent.Reissued(held.reissued(command.newTokenHash(), expiresAt)));
    }

    private static Lease granted(Revision revision, Acquire command, Instant now) {
        return new Lease(
                command.newLeaseId(),
                revision.id(),
                revision.tenantId(),
                command.holder(),
                command.newTokenHash(),
                command.subject(),
                revision.generation(),
                1,
                now,
                now.plus(command.ttl()));
    }

    private static Decision<LeaseEvent> renew(LeaseState state, Renew command, Instant now) {
        Lease lease = state.lease();
        if (lease == null || !isVisible(lease.tenantId(), command)) {
            return refused(LeaseRefusal.LEASE_NOT_FOUND);
        }
        if (!isSame(command.tokenHash(), lease.tokenHash())) {
            return refused(LeaseRefusal.TOKEN_WRONG);
        }
        if (!lease.isLive(now)) {
            return refused(LeaseRefusal.LEASE_EXPIRED);
        }
        if (isDrained(state.revision(), now)) {
            return refused(LeaseRefusal.REVISION_DRAINED);
        }
        Instant expiresAt = later(lease.expiresAt(), now.plus(command.ttl()));
        return expiresAt.equals(lease.expiresAt())
                ? Decision.unchanged()
                : Decision.accepted(new LeaseEvent.Renewed(lease.until(expiresAt)));
    }

    /** A revision is never forgotten, so one without a row was restored away: like deleted. */
    private static boolean isDrained(@Nullable Revision revision, Instant now) {
        if (revision == null) {
            return true;
        }
        Instant deadline = revision.drainDeadline();
        return switch (revision.availability()) {
            case DELETED -> true;
            case DELETING -> deadline != null && !now.isBefore(deadline);
            case IMPORTING, READY, DEGRADED -> false;
        };
    }

    private static Decision<LeaseEvent> giveBack(LeaseState state, Return command) {
        Lease lease = state.lease();
        if (lease == null) {
            return Decision.unchanged();
        }
        if (!isVisible(lease.tenantId(), command)) {
            return refused(LeaseRefusal.LEASE_NOT_FOUND);
        }
        if (isSame(command.tokenHash(), lease.tokenHash())) {
            return Decision.accepted(new LeaseEvent.Returned(lease, Cause.HOLDER));
        }
        return command.administrator()
                ? Decision.accepted(new LeaseEvent.Returned(lease, Cause.ADMINISTRATOR))
                : refused(LeaseRefusal.TOKEN_WRONG);
    }

    private static boolean isVisible(String tenantId, LeaseCommand command) {
        return command.tenantId() == null || command.tenantId().equals(tenantId);
    }

    /** In constant time. */
    private static boolean isSame(@Nullable String presented, String kept) {
        return presented != null && MessageDigest.isEqual(Utf8.bytes(presented), Utf8.bytes(kept));
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }

    private static Decision<LeaseEvent> refused(LeaseRefusal refusal) {
        return Decision.refused(refusal.problem());
    }
}
