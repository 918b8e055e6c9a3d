package io.weighbridge.metadata.revision.http;

import io.weighbridge.ledger.http.feed.EventStream;
import io.weighbridge.ledger.http.limit.LongRunning;
import io.weighbridge.ledger.http.openapi.Refusals;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.store.feed.Feed;
import io.weighbridge.ledger.store.feed.FeedFilter;
import io.weighbridge.ledger.vocabulary.EntryKind;
import io.weighbridge.wire.FeedEntry;
import io.weighbridge.wire.FeedPage;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The committed changes of the ledger, as events or as pages (spec 1.9, 5.1). Needs {@code weights:read}. */
@RestController
@RequestMapping("/v1/feed")
@LongRunning
public class FeedController {

    /** Stays in the ledger: of use to replay, of none to a reader. */
    private static final Set<String> INNER = Set.of("import_token_hash", "token_hash");

    private static final String FROM_START = "start";
    private static final String FROM_NOW = "now";

    private final Feed feed;

    public FeedController(Feed feed) {
        this.feed = feed;
    }

    /**
     * A page of entries.
     *
     * @param after a cursor, {@code start} or {@code now}; Last-Event-ID does as well; default {@code start}
     * @param pageSize at most so many entries, 1 to 1000
     * @param waitMs waits up to 60,000 ms for a first entry
     * @param kind only these kinds; may be repeated
     * @param revisionId only this revision's
     * @param nodeId only this node's
     */
    @GetMapping
    @Refusals(ProblemCode.FEED_RESET)
    Mono<FeedPage> readFeed(
            @RequestParam(name = "after", required = false) @Nullable String after,
            @RequestParam(name = "page_size", defaultValue = "100") int pageSize,
            @RequestParam(name = "wait_ms", required = false) @Nullable Long waitMs,
            @RequestParam(name = "kind", required = false) @Nullable List<EntryKind> kind,
            @RequestParam(name = "revision_id", required = false) @Nullable RevisionId revisionId,
            @RequestParam(name = "node_id", required = false) @Nullable UUID nodeId,
            ServerHttpRequest request,
            Caller caller) {
        FeedFilter filter = filter(caller, kind, revisionId, nodeId);
        Duration wait = Requests.wait(waitMs);
        String cursor = cursor(after, request, FROM_START);
        Mono<FeedPage> page = feed.page(cursor, pageSize, filter);
        return page.flatMap(first -> first.entries().isEmpty() && !wait.isZero()
                        ? feed.subscribe(first.nextCursor(), filter)
                                .next()
                                .flatMap(entry -> feed.page(first.nextCursor(), pageSize, filter))
                                .timeout(wait, Mono.just(first))
                        : Mono.just(first))
                .map(found -> new FeedPage(
                        found.entries().stream().map(FeedController::outer).toList(), found.nextCursor()));
    }

    /**
     * Entries as they are committed, each with its cursor as the event's id.
     *
     * @param after a cursor, {@code start} or {@code now}; Last-Event-ID goes before it; default {@code now}
     * @param kind only these kinds; may be repeated
     * @param revisionId only this revision's
     * @param nodeId only this node's
     */
    @GetMapping(produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @Refusals(ProblemCode.FEED_RESET)
    Flux<ServerSentEvent<FeedEntry>> followFeed(
            @RequestParam(name = "after", required = false) @Nullable String after,
            @RequestParam(name = "kind", required = false) @Nullable List<EntryKind> kind,
            @RequestParam(name = "revision_id", required = false) @Nullable RevisionId revisionId,
            @RequestParam(name = "node_id", required = false) @Nullable UUID nodeId,
            ServerHttpRequest request,
            Caller caller) {
        FeedFilter filter = filter(caller, kind, revisionId, nodeId);
        Flux<FeedEntry> entries =
                feed.subscribe(cursor(after, request, FROM_NOW), filter).map(FeedController::outer);
        return EventStream.of(entries, FeedEntry::cursor);
    }

    private static FeedFilter filter(
            Caller caller, @Nullable List<EntryKind> kinds, @Nullable RevisionId revisionId, @Nullable UUID nodeId) {
        String tenant = Requests.visibleTo(caller.require(Scope.WEIGHTS_READ));
        FeedFilter filter = tenant == null ? FeedFilter.all() : FeedFilter.all().ofTenant(tenant);
        if (kinds != null) {
            filter = filter.ofKinds(Set.copyOf(kinds));
        }
        if (revisionId != null) {
            filter = filter.ofRevision(revisionId.hex());
        }
        return nodeId == null ? filter : filter.ofNode(nodeId);
    }

    private static String cursor(@Nullable String after, ServerHttpRequest request, String otherwise) {
        return EventStream.lastEventId(request).orElse(after == null ? otherwise : after);
    }

    private static FeedEntry outer(FeedEntry entry) {
        Map<String, Object> state = new LinkedHashMap<>(entry.state());
        state.keySet().removeAll(INNER);
        return new FeedEntry(
                entry.cursor(),
                entry.kind(),
                entry.entity(),
                entry.entityId(),
                entry.entityVersion(),
                entry.tenantId(),
                entry.revisionId(),
                entry.nodeId(),
                entry.subject(),
                entry.at(),
                state);
    }
}
