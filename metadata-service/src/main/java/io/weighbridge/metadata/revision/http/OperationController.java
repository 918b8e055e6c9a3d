package io.weighbridge.metadata.revision.http;

import io.weighbridge.ledger.http.fence.Etag;
import io.weighbridge.ledger.http.fence.IdempotencyKey;
import io.weighbridge.ledger.http.limit.LongRunning;
import io.weighbridge.ledger.http.openapi.Answers;
import io.weighbridge.ledger.http.openapi.Refusals;
import io.weighbridge.ledger.http.paging.Page;
import io.weighbridge.ledger.http.paging.PageQuery;
import io.weighbridge.ledger.http.paging.PageRequest;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.store.Randomness;
import io.weighbridge.metadata.revision.RevisionViews;
import io.weighbridge.metadata.revision.application.Awaiting;
import io.weighbridge.metadata.revision.application.RevisionHandler;
import io.weighbridge.metadata.revision.application.RevisionHandler.Outcome;
import io.weighbridge.metadata.revision.application.RevisionQueries;
import io.weighbridge.metadata.revision.domain.Listing;
import io.weighbridge.metadata.revision.domain.Operation;
import io.weighbridge.metadata.revision.domain.RevisionCommand;
import io.weighbridge.wire.OperationPage;
import io.weighbridge.wire.OperationView;
import io.weighbridge.wire.Placement;
import io.weighbridge.wire.RevisionView;
import io.weighbridge.wire.StartResidency;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Where a revision's copies shall be, and the operations that bring them there. Changes need {@code weights:write}. */
@RestController
@RequestMapping("/v1")
public class OperationController {

    private final RevisionHandler revisions;
    private final RevisionQueries queries;
    private final Awaiting awaiting;

    public OperationController(RevisionHandler revisions, RevisionQueries queries, Awaiting awaiting) {
        this.revisions = revisions;
        this.queries = queries;
        this.awaiting = awaiting;
    }

    /**
     * Moves all members into memory (HOT) or out of it (COLD).
     *
     * @param waitMs waits up to 60,000 ms for the operation's end
     */
    @PostMapping("/revisions/{id}/residency")
    @LongRunning
    @Answers({200, 202})
    @Refusals({
        ProblemCode.NOT_FOUND,
        ProblemCode.STALE_GENERATION,
        ProblemCode.BUSY,
        ProblemCode.NOT_READY,
        ProblemCode.CONFLICT,
        ProblemCode.GENERATION_EXHAUSTED
    })
    Mono<ResponseEntity<OperationView>> startResidency(
            @PathVariable RevisionId id,
            Fence fence,
            @RequestBody StartResidency body,
            @RequestParam(name = "wait_ms", required = false) @Nullable Long waitMs,
            @Nullable IdempotencyKey key,
            Caller caller) {
        caller.require(Scope.WEIGHTS_WRITE);
        Duration wait = Requests.wait(waitMs);
        return revisions
                .handle(
                        Requests.actor(caller),
                        id,
                        new RevisionCommand.StartResidencyOperation(fence, body.target(), Randomness.id()),
                        Requests.once(caller, key, "residency", id.hex() + body.target()))
                .flatMap(outcome -> answer(outcome, wait, caller));
    }

    /**
     * Restores every member to its wanted number of copies; 204 when nothing is missing.
     *
     * @param waitMs waits up to 60,000 ms for the operation's end
     */
    @PostMapping("/revisions/{id}/repair")
    @LongRunning
    @Answers({200, 202, 204})
    @Refusals({
        ProblemCode.NOT_FOUND,
        ProblemCode.STALE_GENERATION,
        ProblemCode.BUSY,
        ProblemCode.NOT_READY,
        ProblemCode.CONFLICT,
        ProblemCode.GENERATION_EXHAUSTED
    })
    Mono<ResponseEntity<OperationView>> startRepair(
            @PathVariable RevisionId id,
            Fence fence,
            @RequestParam(name = "wait_ms", required = false) @Nullable Long waitMs,
            @Nullable IdempotencyKey key,
            Caller caller) {
        caller.require(Scope.WEIGHTS_WRITE);
        Duration wait = Requests.wait(waitMs);
        return revisions
                .handle(
                        Requests.actor(caller),
                        id,
                        new RevisionCommand.StartRepair(fence, Randomness.id()),
                        Requests.once(caller, key, "repair", id.hex()))
                .flatMap(outcome -> answer(outcome, wait, caller));
    }

    /** Changes how many copies are wanted and where; a reconciler brings it about. */
    @PutMapping("/revisions/{id}/placement")
    @Refusals({
        ProblemCode.NOT_FOUND,
        ProblemCode.STALE_GENERATION,
        ProblemCode.NOT_READY,
        ProblemCode.GENERATION_EXHAUSTED
    })
    Mono<ResponseEntity<RevisionView>> setPlacement(
            @PathVariable RevisionId id, Fence fence, @RequestBody Placement body, Caller caller) {
        caller.require(Scope.WEIGHTS_WRITE);
        return revisions
                .handle(
                        Requests.actor(caller),
                        id,
                        new RevisionCommand.SetPlacement(fence, Objects.requireNonNull(RevisionViews.placement(body))))
                .map(outcome -> Etag.ok(outcome.revision().generation(), RevisionViews.of(outcome.revision())));
    }

    /**
     * The tenant's operations in the order of their starts.
     *
     * @param revisionId only this revision's
     * @param active only active ones, or only those that are over
     */
    @GetMapping("/operations")
    Mono<OperationPage> listOperations(
            @RequestParam(name = "revision_id", required = false) @Nullable RevisionId revisionId,
            @RequestParam(name = "active", required = false) @Nullable Boolean active,
            PageRequest page,
            Caller caller) {
        String tenant = Requests.visibleTo(caller.require(Scope.WEIGHTS_READ));
        PageQuery query = PageQuery.of("operations", tenant, revisionId, active);
        Listing.AfterOperation after = page.after(query)
                .map(key -> new Listing.AfterOperation(Instant.parse(key.get(0)), UUID.fromString(key.get(1))))
                .orElse(null);
        return queries.operations(tenant, revisionId, active, after, page.pageSize() + 1)
                .map(rows -> {
                    Page<OperationView> operations = query.page(
                            rows,
                            page.pageSize(),
                            view -> List.of(
                                    view.startedAt().toString(),
                                    view.operationId().toString()));
                    return new OperationPage(operations.rows(), operations.nextPageToken());
                });
    }

    /**
     * One operation, active or over.
     *
     * @param waitMs waits up to 60,000 ms for its end
     */
    @GetMapping("/operations/{id}")
    @LongRunning
    @Refusals(ProblemCode.NOT_FOUND)
    Mono<OperationView> getOperation(
            @PathVariable UUID id,
            @RequestParam(name = "wait_ms", required = false) @Nullable Long waitMs,
            Caller caller) {
        String tenant = Requests.visibleTo(caller.require(Scope.WEIGHTS_READ));
        Duration wait = Requests.wait(waitMs);
        return operation(id, tenant)
                .flatMap(view -> view.active() && !wait.isZero()
                        ? over(new RevisionId(view.revisionId()), id, tenant, wait)
                        : Mono.just(view));
    }

    /** Gives an operation up; the revision is what is observed of it then. */
    @PostMapping("/operations/{id}/cancel")
    @Refusals({ProblemCode.NOT_FOUND, ProblemCode.CONFLICT, ProblemCode.BUSY, ProblemCode.GENERATION_EXHAUSTED})
    Mono<OperationView> cancelOperation(@PathVariable UUID id, @Nullable IdempotencyKey key, Caller caller) {
        caller.require(Scope.WEIGHTS_WRITE);
        return operation(id, Requests.actor(caller).tenantId())
                .flatMap(view -> revisions.handle(
                        Requests.actor(caller),
                        new RevisionId(view.revisionId()),
                        new RevisionCommand.CancelOperation(id),
                        Requests.once(caller, key, "cancel", id.toString())))
                .map(outcome -> RevisionViews.of(outcome.revision().id(), Objects.requireNonNull(outcome.operation())));
    }

    private Mono<OperationView> operation(UUID id, @Nullable String tenant) {
        return Requests.orNotFound(queries.operation(id, tenant), "operation");
    }

    private Mono<OperationView> over(RevisionId revision, UUID id, @Nullable String tenant, Duration wait) {
        return awaiting.until(revision, queries.operation(id, tenant), view -> !view.active(), wait);
    }

    private Mono<ResponseEntity<OperationView>> answer(Outcome outcome, Duration wait, Caller caller) {
        Operation operation = outcome.operation();
        if (operation == null) {
            return Mono.just(ResponseEntity.noContent().build());
        }
        OperationView started = RevisionViews.of(outcome.revision().id(), operation);
        return wait.isZero() || !started.active()
                ? Mono.just(answer(outcome, started))
                : over(
                                outcome.revision().id(),
                                operation.operationId(),
                                Requests.actor(caller).tenantId(),
                                wait)
                        .map(view -> answer(outcome, view));
    }

    private static ResponseEntity<OperationView> answer(Outcome outcome, OperationView view) {
        return outcome.changed() && view.active()
                ? Etag.accepted("/v1/operations/" + view.operationId(), view)
                : ResponseEntity.ok(view);
    }
}
