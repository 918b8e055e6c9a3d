package io.weighbridge.gateway;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.wire.NodePage;
import io.weighbridge.wire.NodeView;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import reactor.core.publisher.Mono;

/**
 * Where each node's agent is, as the ledger knows it, asked for at most once a second. While nobody can be asked,
 * agents stay where they were: they serve without it.
 */
final class AgentDirectory {

    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final int PAGE = 1000;

    /** The one call that the gateway itself makes to metadata-service. */
    interface Nodes {
        @GetExchange("/v1/nodes")
        Mono<NodePage> nodes(
                @RequestParam("page_size") int pageSize,
                @RequestParam(name = "page_token", required = false) @Nullable String pageToken);
    }

    private final Nodes service;
    private final Mono<List<NodeView>> known;
    private volatile @Nullable List<NodeView> last;

    AgentDirectory(Nodes service) {
        this.service = service;
        this.known = all().doOnNext(nodes -> last = nodes)
                .cache(nodes -> FRESH, error -> Duration.ZERO, () -> Duration.ZERO);
    }

    /** Every node that the ledger knows now. */
    Mono<List<NodeView>> nodes() {
        return known;
    }

    /** The agent's base URL, or NOT_FOUND. */
    Mono<URI> address(UUID nodeId) {
        return known.onErrorResume(error -> {
                    List<NodeView> before = last;
                    return before == null ? Mono.error(error) : Mono.just(before);
                })
                .flatMap(nodes -> Mono.justOrEmpty(nodes.stream()
                        .filter(node -> node.nodeId().equals(nodeId))
                        .map(node -> URI.create(node.url()))
                        .findFirst()))
                .switchIfEmpty(
                        Mono.error(() -> new ProblemException(ProblemCode.NOT_FOUND, "no node has the id " + nodeId)));
    }

    private Mono<List<NodeView>> all() {
        return Mono.defer(() -> service.nodes(PAGE, null))
                .expand(page -> page.nextPageToken() == null ? Mono.empty() : service.nodes(PAGE, page.nextPageToken()))
                .flatMapIterable(NodePage::nodes)
                .collectList();
    }
}
