package io.weighbridge.metadata.revision.http;

import io.weighbridge.ledger.http.fence.Etag;
import io.weighbridge.ledger.http.openapi.Answers;
import io.weighbridge.ledger.http.openapi.Refusals;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.store.Randomness;
import io.weighbridge.ledger.token.Secret;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.metadata.revision.RevisionViews;
import io.weighbridge.metadata.revision.application.RevisionHandler;
import io.weighbridge.metadata.revision.application.RevisionHandler.Outcome;
import io.weighbridge.metadata.revision.domain.ImportSummary;
import io.weighbridge.metadata.revision.domain.Labels;
import io.weighbridge.metadata.revision.domain.RevisionCommand;
import io.weighbridge.wire.BeginImport;
import io.weighbridge.wire.BegunImport;
import io.weighbridge.wire.CommitImport;
import io.weighbridge.wire.RevisionView;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/**
 * The import of a revision, from its begin to its commit or abort (spec 1.5). All of it needs {@code weights:write}.
 */
@RestController
@RequestMapping("/v1/revisions")
public class ImportController {

    private final RevisionHandler revisions;

    public ImportController(RevisionHandler revisions) {
        this.revisions = revisions;
    }

    /**
     * Begins an import, or finds the one that is there. The import token is given out once, with 201, or to whoever
     * takes
     * the import over: the subject that began it or one with {@code weights:admin}.
     */
    @PostMapping("/imports")
    @Answers({200, 201})
    @Refusals(ProblemCode.CONFLICT)
    Mono<ResponseEntity<BegunImport>> beginImport(@RequestBody BeginImport body, Caller caller) {
        String tenant = caller.require(Scope.WEIGHTS_WRITE).tenant(body.tenantId());
        String token = Randomness.secret();
        RevisionIdentity identity = new RevisionIdentity(
                tenant, body.namespace(), body.resourceId(), body.revision(), body.weightGeneration());
        RevisionCommand command = new RevisionCommand.BeginImport(
                identity,
                new ImportSummary(body.expectedPayloadCount(), body.expectedLogicalBytes()),
                body.labels() == null ? null : Labels.checked("labels", body.labels()),
                RevisionViews.placement(body.placement()),
                body.payloadGroupId(),
                Boolean.TRUE.equals(body.takeover()),
                caller.subject(),
                caller.has(Scope.WEIGHTS_ADMIN),
                Secret.hash(token));
        RevisionHandler.Actor actor = new RevisionHandler.Actor(tenant, caller.subject());
        return revisions.handle(actor, identity.id(), command).map(outcome -> begun(outcome, token));
    }

    private static ResponseEntity<BegunImport> begun(Outcome outcome, String token) {
        RevisionView view = RevisionViews.of(outcome.revision());
        BegunImport begun = new BegunImport(view, outcome.changed() ? token : null);
        return outcome.created()
                ? Etag.created(view.metadataGeneration(), begun)
                : Etag.ok(view.metadataGeneration(), begun);
    }

    /** Tells that the importer is alive; an import without heartbeats is aborted after a while. */
    @PostMapping("/{id}/heartbeat")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Refusals({ProblemCode.NOT_FOUND, ProblemCode.STALE_TOKEN, ProblemCode.CONFLICT})
    Mono<Void> heartbeatImport(
            @PathVariable RevisionId id,
            @RequestHeader(name = "Import-Token", required = false) @Nullable String importToken,
            Caller caller) {
        caller.require(Scope.WEIGHTS_WRITE);
        return revisions
                .handle(Requests.actor(caller), id, new RevisionCommand.HeartbeatImport(importToken))
                .then();
    }

    /** Publishes the revision, if its members are what the manifest reference says. */
    @PostMapping("/{id}/commit")
    @Refusals({
        ProblemCode.NOT_FOUND,
        ProblemCode.CONFLICT,
        ProblemCode.STALE_GENERATION,
        ProblemCode.NOT_READY,
        ProblemCode.GENERATION_EXHAUSTED
    })
    Mono<ResponseEntity<RevisionView>> commitImport(
            @PathVariable RevisionId id, Fence fence, @RequestBody CommitImport body, Caller caller) {
        caller.require(Scope.WEIGHTS_WRITE);
        return revisions
                .handle(
                        Requests.actor(caller),
                        id,
                        new RevisionCommand.CommitImport(fence, RevisionViews.manifest(body.manifest())))
                .map(outcome -> Etag.ok(outcome.revision().generation(), RevisionViews.of(outcome.revision())));
    }

    /**
     * Gives the import up; its objects are removed in the background.
     *
     * @param idleMs give up only if the last heartbeat is at least this old, in milliseconds
     */
    @PostMapping("/{id}/abort")
    @Answers({200, 202})
    @Refusals({
        ProblemCode.NOT_FOUND,
        ProblemCode.CONFLICT,
        ProblemCode.STALE_GENERATION,
        ProblemCode.NOT_READY,
        ProblemCode.GENERATION_EXHAUSTED
    })
    Mono<ResponseEntity<RevisionView>> abortImport(
            @PathVariable RevisionId id,
            Fence fence,
            @RequestParam(name = "idle_ms", required = false) @Nullable Long idleMs,
            Caller caller) {
        caller.require(Scope.WEIGHTS_WRITE);
        if (idleMs != null && idleMs < 0) {
            throw new ProblemException(Problem.invalid("idle_ms", "must not be negative"));
        }
        Duration idle = idleMs == null ? null : Duration.ofMillis(idleMs);
        return revisions
                .handle(Requests.actor(caller), id, new RevisionCommand.AbortImport(fence, idle))
                .map(ImportController::ended);
    }

    /** 202 with where to look until the objects are gone; 200 when it was so already. */
    static ResponseEntity<RevisionView> ended(Outcome outcome) {
        RevisionView view = RevisionViews.of(outcome.revision());
        boolean goesOn = outcome.changed() && view.availability() != Availability.DELETED;
        return goesOn
                ? ResponseEntity.accepted()
                        .location(URI.create("/v1/revisions/" + view.revisionId()))
                        .eTag(Etag.of(view.metadataGeneration()))
                        .body(view)
                : Etag.ok(view.metadataGeneration(), view);
    }
}
