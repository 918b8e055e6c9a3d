package io.weighbridge.metadata.revision.application;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.ledger.vocabulary.OperationKind;
import io.weighbridge.metadata.revision.domain.Operation;
import io.weighbridge.metadata.revision.domain.Revision;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import io.weighbridge.metadata.revision.postgres.RevisionTable;
import io.weighbridge.metadata.revision.postgres.RevisionTable.Loaded;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Claims of replica commands, checked against the operation's row and remembered there. */
public final class ClaimChecks implements OperationClaims {

    private final RevisionTable revisions;

    public ClaimChecks(RevisionTable revisions) {
        this.revisions = revisions;
    }

    @Override
    public Mono<ClaimedRevision> check(
            LedgerTransaction tx, RevisionId revision, @Nullable UUID operationId, long claimEpoch) {
        return revisions.load(tx, revision, null).flatMap(loaded -> switch (loaded.revision()) {
            case Revision.NoRevision() -> refuse(ProblemCode.NOT_FOUND, "there is no such revision");
            case Registered found -> check(tx, found, loaded, operationId, claimEpoch);
        });
    }

    private Mono<ClaimedRevision> check(
            LedgerTransaction tx, Registered revision, Loaded loaded, @Nullable UUID operationId, long claimEpoch) {
        Operation active = revision.operation();
        ClaimedRevision claimed = claimed(revision, loaded.leased());
        if (!Objects.equals(active == null ? null : active.operationId(), operationId)) {
            return refuse(ProblemCode.CONFLICT, "this is not the revision's active operation");
        }
        if (active == null) {
            return revision.availability() == Availability.DELETING
                    ? Mono.just(claimed)
                    : refuse(ProblemCode.CONFLICT, "the revision has no active operation and is not being deleted");
        }
        if (claimEpoch < active.claimEpoch()) {
            return refuse(ProblemCode.STALE_TOKEN, "a newer claim works on this operation");
        }
        return claimEpoch == active.claimEpoch()
                ? Mono.just(claimed)
                : revisions.claim(tx, active.operationId(), claimEpoch).thenReturn(claimed);
    }

    private static ClaimedRevision claimed(Registered revision, boolean leased) {
        Operation active = revision.operation();
        return new ClaimedRevision(
                revision.id(),
                revision.identity().tenantId(),
                revision.availability(),
                active == null ? OperationKind.NONE : active.kind(),
                active == null ? null : active.operationId(),
                revision.placement(),
                revision.lastTarget(),
                revision.identity().manifestKey(),
                revision.totalMembers(),
                leased);
    }

    private static Mono<ClaimedRevision> refuse(ProblemCode code, String detail) {
        return Mono.error(new ProblemException(code, detail));
    }
}
