package io.weighbridge.lease.revisionlease.http;

import io.weighbridge.lease.revisionlease.application.LeaseAnswer;
import io.weighbridge.lease.revisionlease.application.RevisionLeases;
import io.weighbridge.lease.revisionlease.domain.LeaseState.Lease;
import io.weighbridge.ledger.http.fence.IfMatch;
import io.weighbridge.ledger.http.openapi.Refusals;
import io.weighbridge.ledger.http.paging.Page;
import io.weighbridge.ledger.http.paging.PageQuery;
import io.weighbridge.ledger.http.paging.PageRequest;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.wire.AcquireLease;
import io.weighbridge.wire.AcquiredLease;
import io.weighbridge.wire.LeasePage;
import io.weighbridge.wire.LeaseView;
import io.weighbridge.wire.RenewLease;
import io.weighbridge.wire.RevisionView;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Revision leases, one at a time (spec 1.5, 5.2). All need the scope {@code weights:read}. */
@RestController
@RequestMapping("/v1")
public class LeaseController {

    private static final String LEASE_TOKEN = "Lease-Token";

    private final RevisionLeases leases;

    public LeaseController(RevisionLeases leases) {
        this.leases = leases;
    }

    /**
     * Acquires a lease on a READY revision, which protects its last readable copies until it expires. The same subject
     * asking again for the same holder gets the same lease with a fresh token (200); a new lease is 201. Needs the
     * scope {@code weights:read}.
     *
     * @param fence the expected metadata generation, or {@code *} for whatever is current
     */
    @PostMapping("/revisions/{id}/leases")
    @Refusals({
        ProblemCode.NOT_FOUND,
        ProblemCode.STALE_GENERATION,
        ProblemCode.NOT_READY,
        ProblemCode.BUSY,
        ProblemCode.CONFLICT,
        ProblemCode.GENERATION_EXHAUSTED
    })
    Mono<ResponseEntity<AcquiredLease>> acquireLease(
            Caller caller,
            @PathVariable RevisionId id,
            @IfMatch(any = true) Fence fence,
            @RequestBody AcquireLease body) {
        return leases.acquire(Answers.asker(caller), id, fence, body).map(answer -> switch (answer) {
            case LeaseAnswer.Acquired acquired -> acquired(acquired);
            case LeaseAnswer.Refused(Problem problem) -> throw new ProblemException(problem);
            case LeaseAnswer.Renewed renewed -> throw unexpected(renewed);
            case LeaseAnswer.Returned returned -> throw unexpected(returned);
        });
    }

    /**
     * Prolongs a lease to now and the given time, never shortening it. A revision that became DEGRADED can still be
     * renewed; one that is being deleted until its drain deadline. Needs the scope {@code weights:read}.
     *
     * @param leaseToken what acquiring the lease answered
     */
    @PostMapping("/leases/{lease_id}/renew")
    @Refusals({ProblemCode.NOT_FOUND, ProblemCode.LEASE_EXPIRED, ProblemCode.NOT_READY, ProblemCode.BUSY})
    Mono<LeaseView> renewLease(
            Caller caller,
            @PathVariable("lease_id") UUID leaseId,
            @RequestHeader(name = LEASE_TOKEN) String leaseToken,
            @RequestBody RenewLease body) {
        return leases.renew(Answers.asker(caller), leaseId, leaseToken, Duration.ofMillis(body.ttlMs()))
                .map(answer -> switch (answer) {
                    case LeaseAnswer.Renewed(Lease lease) -> Answers.view(lease);
                    case LeaseAnswer.Refused(Problem problem) -> throw new ProblemException(problem);
                    case LeaseAnswer.Acquired acquired -> throw unexpected(acquired);
                    case LeaseAnswer.Returned returned -> throw unexpected(returned);
                });
    }

    /**
     * Ends a lease. One that does not exist any more is a success. Needs the scope {@code weights:read}; with {@code
     * weights:admin} no token, which the oplog then tells.
     *
     * @param leaseToken what acquiring the lease answered
     */
    @DeleteMapping("/leases/{lease_id}")
    @Refusals({ProblemCode.NOT_FOUND, ProblemCode.BUSY})
    Mono<ResponseEntity<Void>> releaseLease(
            Caller caller,
            @PathVariable("lease_id") UUID leaseId,
            @RequestHeader(name = LEASE_TOKEN, required = false) @Nullable String leaseToken) {
        return leases.giveBack(Answers.asker(caller), leaseId, leaseToken).map(answer -> switch (answer) {
            case LeaseAnswer.Returned() -> ResponseEntity.noContent().build();
            case LeaseAnswer.Refused(Problem problem) -> throw new ProblemException(problem);
            case LeaseAnswer.Acquired acquired -> throw unexpected(acquired);
            case LeaseAnswer.Renewed renewed -> throw unexpected(renewed);
        });
    }

    /** Lists a revision's live leases in the order of their holders. Needs the scope {@code weights:read}. */
    @GetMapping("/revisions/{id}/leases")
    @Refusals(ProblemCode.NOT_FOUND)
    Mono<LeasePage> listLeases(Caller caller, @PathVariable RevisionId id, PageRequest page) {
        caller.require(Scope.WEIGHTS_READ);
        String tenant = caller.seesAllTenants() ? null : caller.tenant();
        PageQuery query = PageQuery.of("leases", tenant, id.hex());
        String after = page.after(query).map(List::getFirst).orElse("");
        return leases.list(id, tenant, after, page.pageSize() + 1).map(rows -> {
            Page<Lease> found = query.page(rows, page.pageSize(), lease -> List.of(lease.holder()));
            return new LeasePage(found.rows().stream().map(Answers::view).toList(), found.nextPageToken());
        });
    }

    private static ResponseEntity<AcquiredLease> acquired(LeaseAnswer.Acquired answer) {
        RevisionView revision = Objects.requireNonNull(answer.revision());
        return ResponseEntity.status(answer.reused() ? HttpStatus.OK : HttpStatus.CREATED)
                .body(new AcquiredLease(Answers.view(answer.lease()), answer.token(), answer.reused(), revision));
    }

    private static IllegalStateException unexpected(LeaseAnswer answer) {
        return new IllegalStateException("another command's answer: " + answer);
    }
}
