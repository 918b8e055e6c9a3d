package io.weighbridge.metadata.revision.http;

import io.weighbridge.ledger.http.paging.Page;
import io.weighbridge.ledger.http.paging.PageQuery;
import io.weighbridge.ledger.http.paging.PageRequest;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.vocabulary.Availability;
import io.weighbridge.metadata.revision.application.RevisionQueries;
import io.weighbridge.metadata.revision.domain.Listing;
import io.weighbridge.wire.NamespacePage;
import io.weighbridge.wire.ResourcePage;
import io.weighbridge.wire.RevisionPage;
import io.weighbridge.wire.RevisionView;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Which revisions there are, and where: namespaces, their resources, the revisions of one resource. */
@RestController
@RequestMapping("/v1")
public class CatalogController {

    private static final String UNCOMMITTED = "";

    private final RevisionQueries queries;

    public CatalogController(RevisionQueries queries) {
        this.queries = queries;
    }

    /** How a list of revisions is sorted. */
    public enum Order {
        /** By the bytes of the revision's name, then by generation. */
        REVISION,
        /** By the time of the commit; revisions without one come last. */
        COMMITTED_AT
    }

    /**
     * The revisions of one resource.
     *
     * @param availability only these states; none: all but DELETED
     * @param includeDeleted tombstones too
     * @param order REVISION or COMMITTED_AT
     * @param label only those with this label, as key:value; may be repeated
     */
    @GetMapping("/revisions")
    Mono<RevisionPage> listRevisions(
            @RequestParam("namespace") String namespace,
            @RequestParam("resource_id") String resourceId,
            @RequestParam(name = "availability", required = false) @Nullable List<Availability> availability,
            @RequestParam(name = "label", required = false) @Nullable List<String> label,
            @RequestParam(name = "include_deleted", defaultValue = "false") boolean includeDeleted,
            @RequestParam(name = "order", defaultValue = "REVISION") Order order,
            @RequestParam(name = "tenant_id", required = false) @Nullable String tenantId,
            PageRequest page,
            ServerHttpRequest request,
            Caller caller) {
        Listing.Filter filter = new Listing.Filter(
                caller.require(Scope.WEIGHTS_READ).tenant(tenantId),
                Validation.text("namespace", namespace),
                Validation.text("resource_id", resourceId),
                availability == null ? List.of() : availability,
                // Read raw: a list parameter given once would be split at its commas.
                Requests.labels(request.getQueryParams().getOrDefault("label", List.of())),
                includeDeleted);
        PageQuery query = PageQuery.of(
                "revisions",
                filter.tenantId(),
                namespace,
                resourceId,
                filter.availability(),
                new TreeMap<>(filter.labels()),
                includeDeleted,
                order);
        return switch (order) {
            case REVISION -> byRevision(filter, page, query);
            case COMMITTED_AT -> byCommit(filter, page, query);
        };
    }

    private Mono<RevisionPage> byRevision(Listing.Filter filter, PageRequest page, PageQuery query) {
        Listing.AfterRevision after = page.after(query)
                .map(key -> new Listing.AfterRevision(key.get(0), Long.parseLong(key.get(1))))
                .orElse(null);
        return queries.byRevision(filter, after, page.pageSize() + 1)
                .map(rows -> answer(query.page(
                        rows,
                        page.pageSize(),
                        view -> List.of(view.revision(), Long.toString(view.weightGeneration())))));
    }

    private Mono<RevisionPage> byCommit(Listing.Filter filter, PageRequest page, PageQuery query) {
        Listing.AfterCommit after = page.after(query)
                .map(key -> new Listing.AfterCommit(
                        key.get(0).equals(UNCOMMITTED) ? null : Instant.parse(key.get(0)), key.get(1)))
                .orElse(null);
        return queries.byCommit(filter, after, page.pageSize() + 1)
                .map(rows -> answer(query.page(rows, page.pageSize(), CatalogController::commitKey)));
    }

    private static List<String> commitKey(RevisionView view) {
        Instant committedAt = view.committedAt();
        return List.of(committedAt == null ? UNCOMMITTED : committedAt.toString(), view.revisionId());
    }

    private static RevisionPage answer(Page<RevisionView> page) {
        return new RevisionPage(page.rows(), page.nextPageToken());
    }

    /** The namespaces in which the tenant has revisions, tombstones included. */
    @GetMapping("/namespaces")
    Mono<NamespacePage> listNamespaces(
            @RequestParam(name = "tenant_id", required = false) @Nullable String tenantId,
            PageRequest page,
            Caller caller) {
        String tenant = caller.require(Scope.WEIGHTS_READ).tenant(tenantId);
        PageQuery query = PageQuery.of("namespaces", tenant);
        String after = page.after(query).map(List::getFirst).orElse("");
        return queries.namespaces(tenant, after, page.pageSize() + 1).map(rows -> {
            Page<String> names = query.page(rows, page.pageSize(), List::of);
            return new NamespacePage(names.rows(), names.nextPageToken());
        });
    }

    /** The resources of one namespace. */
    @GetMapping("/resources")
    Mono<ResourcePage> listResources(
            @RequestParam("namespace") String namespace,
            @RequestParam(name = "tenant_id", required = false) @Nullable String tenantId,
            PageRequest page,
            Caller caller) {
        String tenant = caller.require(Scope.WEIGHTS_READ).tenant(tenantId);
        Validation.text("namespace", namespace);
        PageQuery query = PageQuery.of("resources", tenant, namespace);
        String after = page.after(query).map(List::getFirst).orElse("");
        return queries.resources(tenant, namespace, after, page.pageSize() + 1).map(rows -> {
            Page<String> names = query.page(rows, page.pageSize(), List::of);
            return new ResourcePage(names.rows(), names.nextPageToken());
        });
    }
}
