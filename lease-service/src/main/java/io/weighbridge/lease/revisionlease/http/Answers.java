package io.weighbridge.lease.revisionlease.http;

import io.weighbridge.lease.revisionlease.application.LeaseAnswer;
import io.weighbridge.lease.revisionlease.application.RevisionLeases.Asker;
import io.weighbridge.lease.revisionlease.domain.LeaseState.Lease;
import io.weighbridge.ledger.http.problem.ProblemStatus;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.wire.LeaseResults;
import io.weighbridge.wire.LeaseView;

/** Lease answers on the wire. */
final class Answers {

    private Answers() {}

    /** Whoever may read weights may lease them; an administrator of weights may end leases of others. */
    static Asker asker(Caller caller) {
        caller.require(Scope.WEIGHTS_READ);
        return new Asker(
                caller.isInternal() ? null : caller.tenant(), caller.subject(), caller.has(Scope.WEIGHTS_ADMIN));
    }

    static LeaseView view(Lease lease) {
        return new LeaseView(
                lease.leaseId(), lease.revisionId().hex(), lease.holder(), lease.expiresAt(), lease.fencedGeneration());
    }

    /** One item of a batch. */
    static LeaseResults.Item item(LeaseAnswer answer) {
        return switch (answer) {
            case LeaseAnswer.Acquired acquired ->
                new LeaseResults.Item(
                        acquired.reused() ? 200 : 201,
                        null,
                        null,
                        view(acquired.lease()),
                        acquired.token(),
                        acquired.reused());
            case LeaseAnswer.Renewed(Lease lease) -> new LeaseResults.Item(200, null, null, view(lease), null, null);
            case LeaseAnswer.Returned() -> new LeaseResults.Item(204, null, null, null, null, null);
            case LeaseAnswer.Refused(Problem problem) ->
                new LeaseResults.Item(
                        ProblemStatus.of(problem.code()), problem.code(), problem.detail(), null, null, null);
        };
    }
}
