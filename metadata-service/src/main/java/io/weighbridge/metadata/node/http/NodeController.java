package io.weighbridge.metadata.node.http;

import io.weighbridge.ledger.http.paging.Page;
import io.weighbridge.ledger.http.paging.PageQuery;
import io.weighbridge.ledger.http.paging.PageRequest;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.metadata.node.application.NodeHandler;
import io.weighbridge.metadata.node.application.NodeHandler.Registered;
import io.weighbridge.metadata.node.application.NodeSettings;
import io.weighbridge.metadata.node.domain.Registration;
import io.weighbridge.metadata.node.domain.Segment;
import io.weighbridge.wire.NodePage;
import io.weighbridge.wire.RegisterNode;
import io.weighbridge.wire.RegisteredNode;
import io.weighbridge.wire.SegmentPage;
import io.weighbridge.wire.SegmentView;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

/** Nodes and their segments (spec 2.6). */
@RestController
@RequestMapping("/v1/nodes")
public class NodeController {

    private static final int SEGMENTS_MAX = 1024;
    private static final int LABELS_MAX = 64;
    private static final UUID FIRST = new UUID(0, 0);

    private final NodeHandler nodes;
    private final NodeSettings settings;

    public NodeController(NodeHandler nodes, NodeSettings settings) {
        this.nodes = nodes;
        this.settings = settings;
    }

    /** An agent announces itself and all segments that it offers; it repeats this after each start. */
    @PostMapping
    Mono<RegisteredNode> registerNode(@RequestBody RegisterNode body, Caller caller) {
        caller.require(Scope.NODES_AGENT);
        return nodes.register(registration(body, caller.subject())).map(registered -> answer(body, registered));
    }

    /** Nodes in the order of their ids. */
    @GetMapping
    Mono<NodePage> listNodes(PageRequest page, Caller caller) {
        caller.require(Scope.OBJECTS_READ, Scope.WEIGHTS_READ, Scope.NODES_AGENT);
        PageQuery query = PageQuery.of("nodes");
        UUID after =
                page.after(query).map(key -> UUID.fromString(key.getFirst())).orElse(FIRST);
        return nodes.list(after, page.pageSize() + 1).map(rows -> {
            Page<Registered> found = query.page(
                    rows, page.pageSize(), row -> List.of(row.node().nodeId().toString()));
            return new NodePage(found.rows().stream().map(NodeViews::view).toList(), found.nextPageToken());
        });
    }

    /** One node's segments. */
    @GetMapping("/{nodeId}/segments")
    Mono<SegmentPage> listSegments(@PathVariable UUID nodeId, Caller caller) {
        caller.require(Scope.OBJECTS_READ, Scope.WEIGHTS_READ, Scope.NODES_AGENT);
        return nodes.segments(nodeId).map(segments -> new SegmentPage(NodeViews.views(segments)));
    }

    /** The agent has verified the segment's bytes: they are readable from now on. */
    @PostMapping("/{nodeId}/segments/{segmentId}/mount")
    Mono<SegmentView> mountSegment(
            @PathVariable UUID nodeId,
            @PathVariable UUID segmentId,
            @RequestParam(name = "agent_incarnation", required = false) @Nullable UUID incarnation,
            Caller caller) {
        return nodes.mount(nodeId, segmentId, asking(caller, incarnation)).map(NodeViews::view);
    }

    /** Takes the segment out of use at once; drain first where its copies shall stay readable. */
    @PostMapping("/{nodeId}/segments/{segmentId}/unmount")
    Mono<SegmentView> unmountSegment(
            @PathVariable UUID nodeId,
            @PathVariable UUID segmentId,
            @RequestParam(name = "agent_incarnation", required = false) @Nullable UUID incarnation,
            Caller caller) {
        return nodes.unmount(nodeId, segmentId, asking(caller, incarnation)).map(NodeViews::view);
    }

    /** No new copies from now on. */
    @PostMapping("/{nodeId}/segments/{segmentId}/drain")
    Mono<SegmentView> drainSegment(
            @PathVariable UUID nodeId,
            @PathVariable UUID segmentId,
            @RequestParam(name = "agent_incarnation", required = false) @Nullable UUID incarnation,
            Caller caller) {
        return nodes.drain(nodeId, segmentId, asking(caller, incarnation)).map(NodeViews::view);
    }

    private static NodeHandler.Asking asking(Caller caller, @Nullable UUID incarnation) {
        caller.require(Scope.NODES_AGENT, Scope.PLATFORM_ADMIN);
        return new NodeHandler.Asking(caller.subject(), caller.has(Scope.PLATFORM_ADMIN), incarnation);
    }

    private RegisteredNode answer(RegisterNode body, Registered registered) {
        Map<UUID, Segment> byId = new HashMap<>();
        registered.segments().forEach(segment -> byId.put(segment.segmentId(), segment));
        List<SegmentView> views = body.segments().stream()
                .map(offer -> NodeViews.view(Objects.requireNonNull(byId.get(offer.segmentId()))))
                .toList();
        return new RegisteredNode(
                registered.node().nodeId(),
                registered.now(),
                settings.heartbeatInterval().toMillis(),
                views);
    }

    private static Registration registration(RegisterNode body, String subject) {
        if (body.segments().size() > SEGMENTS_MAX) {
            throw invalid("segments", "must have at most " + SEGMENTS_MAX + " elements");
        }
        if (body.labels().size() > LABELS_MAX) {
            throw invalid("labels", "must have at most " + LABELS_MAX + " elements");
        }
        body.labels().forEach((name, value) -> {
            Validation.text("labels", name);
            Validation.text("labels." + name, value);
        });
        Validation.text("host_boot_id", body.hostBootId());
        List<Registration.Offer> offers = new ArrayList<>();
        for (RegisterNode.Segment segment : body.segments()) {
            Validation.size("segments.capacity", segment.capacity());
            offers.add(
                    new Registration.Offer(segment.segmentId(), segment.tier(), segment.arenaId(), segment.capacity()));
        }
        return new Registration(
                body.nodeId(),
                body.agentIncarnation(),
                url(body.url()),
                body.labels(),
                body.hostBootId(),
                subject,
                offers);
    }

    /** Clients append paths to it. */
    private static String url(String text) {
        try {
            URI uri = new URI(text);
            boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (http && uri.getHost() != null && uri.getQuery() == null && uri.getFragment() == null) {
                return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
            }
        } catch (URISyntaxException e) {
            throw invalid("url", "is not a URL");
        }
        throw invalid("url", "must be an http or https URL with a host");
    }

    private static ProblemException invalid(String field, String message) {
        return new ProblemException(Problem.invalid(field, message));
    }
}
