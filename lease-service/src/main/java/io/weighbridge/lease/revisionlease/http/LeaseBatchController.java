package io.weighbridge.lease.revisionlease.http;

import io.weighbridge.lease.revisionlease.application.LeaseAnswer;
import io.weighbridge.lease.revisionlease.application.RevisionLeases;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.wire.AcquireLeases;
import io.weighbridge.wire.LeaseResults;
import io.weighbridge.wire.RenewLeases;
import io.weighbridge.wire.ReturnLeases;
import java.util.List;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/**
 * Revision leases, 1 to 1000 at a time, each decided by itself: the answer is 200 and every item has its own status,
 * the one that the single call would have. All need the scope {@code weights:read}.
 */
@RestController
@RequestMapping("/v1/leases")
public class LeaseBatchController {

    private static final int ITEMS_MAX = 1000;

    private final RevisionLeases leases;

    public LeaseBatchController(RevisionLeases leases) {
        this.leases = leases;
    }

    /** Acquires many leases. Needs the scope {@code weights:read}. */
    @PostMapping("/acquire")
    Mono<LeaseResults> acquireLeases(Caller caller, @RequestBody AcquireLeases body) {
        return results(leases.acquireAll(Answers.asker(caller), bounded(body.items())));
    }

    /** Renews many leases. Needs the scope {@code weights:read}. */
    @PostMapping("/renew")
    Mono<LeaseResults> renewLeases(Caller caller, @RequestBody RenewLeases body) {
        return results(leases.renewAll(Answers.asker(caller), bounded(body.items())));
    }

    /** Ends many leases. Needs the scope {@code weights:read}; an administrator's tokens need not fit. */
    @PostMapping("/release")
    Mono<LeaseResults> releaseLeases(Caller caller, @RequestBody ReturnLeases body) {
        return results(leases.giveBackAll(Answers.asker(caller), bounded(body.items())));
    }

    private static Mono<LeaseResults> results(Mono<List<LeaseAnswer>> answers) {
        return answers.map(
                all -> new LeaseResults(all.stream().map(Answers::item).toList()));
    }

    private static <T> List<T> bounded(List<T> items) {
        if (items.isEmpty() || items.size() > ITEMS_MAX) {
            throw new ProblemException(Problem.invalid("items", "must be 1 to " + ITEMS_MAX + ", are " + items.size()));
        }
        return items;
    }
}
