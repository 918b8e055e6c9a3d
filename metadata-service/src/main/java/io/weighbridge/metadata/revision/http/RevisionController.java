package io.weighbridge.metadata.revision.http;

import io.weighbridge.ledger.http.fence.Etag;
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
import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.metadata.revision.application.Awaiting;
import io.weighbridge.metadata.revision.application.RevisionHandler;
import io.weighbridge.metadata.revision.application.RevisionHandler.Outcome;
import io.weighbridge.metadata.revision.application.RevisionQueries;
import io.weighbridge.metadata.revision.domain.RevisionCommand;
import io.weighbridge.wire.Diagnosis;
import io.weighbridge.wire.MemberPage;
import io.weighbridge.wire.MemberView;
import io.weighbridge.wire.RevisionView;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** One revision: reading needs {@code weights:read}, deleting {@code weights:write}. */
@RestController
@RequestMapping("/v1/revisions")
public class RevisionController {

    private final RevisionHandler revisions;
    private final RevisionQueries queries;
    private final Awaiting awaiting;

    public RevisionController(RevisionHandler revisions, RevisionQueries queries, Awaiting awaiting) {
        this.revisions = revisions;
        this.queries = queries;
        this.awaiting = awaiting;
    }

    /**
     * A revision in any state. Its ETag is its metadata generation, and If-None-Match is honoured.
     *
     * @param waitMs long-polls up to 60,000 ms: with If-None-Match until the generation is another, otherwise until no
     *     operation is active and no delete in progress
     */
    @GetMapping("/{id}")
    @LongRunning
    @Refusals(ProblemCode.NOT_FOUND)
    Mono<ResponseEntity<RevisionView>> getRevision(
            @PathVariable RevisionId id,
            @RequestParam(name = "wait_ms", required = false) @Nullable Long waitMs,
            @RequestHeader(name = "If-None-Match", required = false) @Nullable String known,
            Caller caller) {
        caller.require(Scope.WEIGHTS_READ);
        Predicate<RevisionView> wanted = known == null
                ? RevisionController::isAtRest
                : view -> !known.contains(Etag.of(view.metadataGeneration()));
        Mono<RevisionView> read = queries.revision(id, Requests.visibleTo(caller));
        return Requests.orNotFound(awaiting.until(id, read, wanted, Requests.wait(waitMs)), "revision")
                .map(view -> Etag.ok(view.metadataGeneration(), view));
    }

    private static boolean isAtRest(RevisionView view) {
        return view.operationId() == null && view.availability() != Availability.DELETING;
    }

    /** Finds a revision by its exact identity. */
    @GetMapping("/lookup")
    @Refusals(ProblemCode.NOT_FOUND)
    Mono<ResponseEntity<RevisionView>> lookupRevision(
            @RequestParam("namespace") String namespace,
            @RequestParam("resource_id") String resourceId,
            @RequestParam("revision") String revision,
            @RequestParam("weight_generation") long weightGeneration,
            @RequestParam(name = "tenant_id", required = false) @Nullable String tenantId,
            Caller caller) {
        String tenant = caller.require(Scope.WEIGHTS_READ).tenant(tenantId);
        RevisionIdentity identity = new RevisionIdentity(tenant, namespace, resourceId, revision, weightGeneration);
        return Requests.orNotFound(queries.revision(identity.id(), tenant), "revision")
                .map(view -> Etag.ok(view.metadataGeneration(), view));
    }

    /**
     * Ends a revision's life: no new leases at once, its objects removed when no lease is left, a tombstone kept.
     *
     * @param waitForLeases false: refused with BUSY while readers hold leases
     * @param drainMs how long leases may still be renewed, 0 to 86,400,000
     * @param waitMs waits up to 60,000 ms for the tombstone
     */
    @DeleteMapping("/{id}")
    @LongRunning
    @Answers({200, 202})
    @Refusals({
        ProblemCode.NOT_FOUND,
        ProblemCode.STALE_GENERATION,
        ProblemCode.BUSY,
        ProblemCode.NOT_READY,
        ProblemCode.GENERATION_EXHAUSTED
    })
    Mono<ResponseEntity<RevisionView>> deleteRevision(
            @PathVariable RevisionId id,
            Fence fence,
            @RequestParam(name = "wait_for_leases", defaultValue = "true") boolean waitForLeases,
            @RequestParam(name = "drain_ms", defaultValue = "600000") long drainMs,
            @RequestParam(name = "wait_ms", required = false) @Nullable Long waitMs,
            Caller caller) {
        caller.require(Scope.WEIGHTS_WRITE);
        Duration wait = Requests.wait(waitMs);
        RevisionCommand command = new RevisionCommand.Delete(fence, waitForLeases, Duration.ofMillis(drainMs));
        return revisions
                .handle(Requests.actor(caller), id, command)
                .flatMap(outcome -> wait.isZero()
                        ? Mono.just(ImportController.ended(outcome))
                        : deleted(id, outcome, wait, Requests.actor(caller).tenantId()));
    }

    private Mono<ResponseEntity<RevisionView>> deleted(
            RevisionId id, Outcome outcome, Duration wait, @Nullable String tenantId) {
        return awaiting.until(
                        id, queries.revision(id, tenantId), view -> view.availability() == Availability.DELETED, wait)
                .map(view -> view.availability() == Availability.DELETED
                        ? Etag.ok(view.metadataGeneration(), view)
                        : ImportController.ended(outcome));
    }

    /** The member objects in the order of their keys, with their copies. */
    @GetMapping("/{id}/members")
    @Refusals(ProblemCode.NOT_FOUND)
    Mono<MemberPage> listMembers(@PathVariable RevisionId id, PageRequest page, Caller caller) {
        String tenant = Requests.visibleTo(caller.require(Scope.WEIGHTS_READ));
        PageQuery query = PageQuery.of("members", tenant, id.hex());
        String after = page.after(query).map(List::getFirst).orElse("");
        return Requests.orNotFound(queries.revision(id, tenant), "revision")
                .flatMap(found -> queries.members(id, tenant, after, page.pageSize() + 1))
                .map(rows -> {
                    Page<MemberView> members = query.page(rows, page.pageSize(), member -> List.of(member.key()));
                    return new MemberPage(members.rows(), members.nextPageToken());
                });
    }

    /** Why the revision can, or cannot, be read: layer by layer, with evidence and what to do. */
    @GetMapping("/{id}/diagnosis")
    @Refusals(ProblemCode.NOT_FOUND)
    Mono<Diagnosis> diagnoseRevision(@PathVariable RevisionId id, Caller caller) {
        String tenant = Requests.visibleTo(caller.require(Scope.WEIGHTS_READ));
        return Requests.orNotFound(queries.diagnosis(id, tenant), "revision");
    }
}
