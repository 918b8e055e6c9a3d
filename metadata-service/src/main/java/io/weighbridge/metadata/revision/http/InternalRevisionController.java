package io.weighbridge.metadata.revision.http;

import io.weighbridge.ledger.http.openapi.Refusals;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.store.Randomness;
import io.weighbridge.metadata.revision.RevisionViews;
import io.weighbridge.metadata.revision.application.RevisionHandler;
import io.weighbridge.metadata.revision.application.RevisionQueries;
import io.weighbridge.metadata.revision.domain.RevisionCommand;
import io.weighbridge.wire.Claimed;
import io.weighbridge.wire.RevisionView;
import io.weighbridge.wire.Situation;
import io.weighbridge.wire.StartAutoRepair;
import io.weighbridge.wire.WorkPage;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** What reconcilers see and tell (spec 1.8, 5.2). Scope {@code ledger:internal}; acts across tenants. */
@RestController
@RequestMapping("/v1/internal")
public class InternalRevisionController {

    private static final int WORK_PAGE = 1000;

    private final RevisionHandler revisions;
    private final RevisionQueries queries;

    public InternalRevisionController(RevisionHandler revisions, RevisionQueries queries) {
        this.revisions = revisions;
        this.queries = queries;
    }

    /** Up to 1000 revisions that are not yet a tombstone, in the order of their ids. */
    @GetMapping("/work")
    Mono<WorkPage> listWork(@RequestParam(name = "after", required = false) @Nullable RevisionId after, Caller caller) {
        caller.require(Scope.LEDGER_INTERNAL);
        return queries.unfinished(after == null ? "" : after.hex(), WORK_PAGE)
                .map(ids -> new WorkPage(ids, ids.size() < WORK_PAGE ? null : ids.getLast()));
    }

    /** All that a plan is made from, in one snapshot. */
    @GetMapping("/revisions/{id}/situation")
    @Refusals(ProblemCode.NOT_FOUND)
    Mono<Situation> getSituation(@PathVariable RevisionId id, Caller caller) {
        caller.require(Scope.LEDGER_INTERNAL);
        return Requests.orNotFound(queries.situation(id), "revision");
    }

    /** Sets availability and residency to what the members are. */
    @PostMapping("/revisions/{id}/observe")
    @Refusals({ProblemCode.NOT_FOUND, ProblemCode.CONFLICT, ProblemCode.STALE_TOKEN, ProblemCode.GENERATION_EXHAUSTED})
    Mono<RevisionView> observe(@PathVariable RevisionId id, @RequestBody Claimed body, Caller caller) {
        return command(caller, id, new RevisionCommand.Observe(body.operationId(), epoch(body.claimEpoch())));
    }

    /** Counts again how many members satisfy the active operation. */
    @PostMapping("/revisions/{id}/progress")
    @Refusals({ProblemCode.NOT_FOUND, ProblemCode.CONFLICT, ProblemCode.STALE_TOKEN})
    Mono<RevisionView> updateProgress(@PathVariable RevisionId id, @RequestBody Claimed body, Caller caller) {
        return command(caller, id, new RevisionCommand.UpdateProgress(operation(body), epoch(body.claimEpoch())));
    }

    /** Ends the active operation, if its target is reached. */
    @PostMapping("/revisions/{id}/finish")
    @Refusals({
        ProblemCode.NOT_FOUND,
        ProblemCode.CONFLICT,
        ProblemCode.STALE_TOKEN,
        ProblemCode.NOT_READY,
        ProblemCode.GENERATION_EXHAUSTED
    })
    Mono<RevisionView> finishOperation(@PathVariable RevisionId id, @RequestBody Claimed body, Caller caller) {
        return command(caller, id, new RevisionCommand.FinishOperation(operation(body), epoch(body.claimEpoch())));
    }

    /** Leaves the tombstone, if no copy and no lease is left. */
    @PostMapping("/revisions/{id}/finish-delete")
    @Refusals({ProblemCode.NOT_FOUND, ProblemCode.CONFLICT, ProblemCode.NOT_READY, ProblemCode.GENERATION_EXHAUSTED})
    Mono<RevisionView> finishDelete(@PathVariable RevisionId id, @RequestBody Claimed body, Caller caller) {
        epoch(body.claimEpoch());
        return command(caller, id, new RevisionCommand.FinishDelete());
    }

    /** Starts an automatic repair towards the placement; unchanged where nothing is to do. */
    @PostMapping("/revisions/{id}/repair")
    @Refusals({
        ProblemCode.NOT_FOUND,
        ProblemCode.STALE_GENERATION,
        ProblemCode.BUSY,
        ProblemCode.NOT_READY,
        ProblemCode.GENERATION_EXHAUSTED
    })
    Mono<RevisionView> startAutoRepair(@PathVariable RevisionId id, @RequestBody StartAutoRepair body, Caller caller) {
        return command(
                caller,
                id,
                new RevisionCommand.StartAutoRepair(
                        Fence.exactly(body.expectedGeneration()), Randomness.id(), epoch(body.claimEpoch())));
    }

    private Mono<RevisionView> command(Caller caller, RevisionId id, RevisionCommand command) {
        caller.require(Scope.LEDGER_INTERNAL);
        return revisions
                .handle(new RevisionHandler.Actor(null, caller.subject()), id, command)
                .map(outcome -> RevisionViews.of(outcome.revision()));
    }

    private static long epoch(long claimEpoch) {
        return Validation.counter("claim_epoch", claimEpoch);
    }

    private static UUID operation(Claimed body) {
        UUID operationId = body.operationId();
        if (operationId == null) {
            throw new ProblemException(Problem.invalid("operation_id", "is missing"));
        }
        return operationId;
    }
}
