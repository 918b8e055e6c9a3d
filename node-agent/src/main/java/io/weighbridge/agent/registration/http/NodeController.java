package io.weighbridge.agent.registration.http;

import io.weighbridge.agent.registration.application.AdvertisedUrl;
import io.weighbridge.agent.registration.application.HostFacts;
import io.weighbridge.agent.registration.application.NodeIdentity;
import io.weighbridge.agent.tier.Segment;
import io.weighbridge.agent.tier.Segments;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.wire.NodeDescription;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Who this node is, what it has and what does not work on it. */
@RestController
@RequestMapping("/v1")
class NodeController {

    private final NodeIdentity identity;
    private final AdvertisedUrl url;
    private final Segments segments;

    NodeController(NodeIdentity identity, AdvertisedUrl url, Segments segments) {
        this.identity = identity;
        this.url = url;
        this.segments = segments;
    }

    /** Identity, tiers, transports and drivers, and for the rest why not. */
    @GetMapping("/node")
    NodeDescription getNode(Caller caller) {
        caller.require(Scope.OBJECTS_READ, Scope.WEIGHTS_READ, Scope.NODES_AGENT);
        return new NodeDescription(
                identity.nodeId(),
                identity.incarnation(),
                url.get(),
                identity.hostBootId(),
                identity.labels(),
                segments.all().stream().map(this::view).toList(),
                List.of("local", "http"),
                List.of(),
                HostFacts.unavailable());
    }

    private NodeDescription.TierView view(Segment segment) {
        Segment.Identity own = segment.identity();
        return new NodeDescription.TierView(
                own.segmentId(),
                own.tier(),
                segments.epoch(own.segmentId()),
                segments.isMounted(own.segmentId()),
                own.capacity(),
                segment.usedBytes(),
                segment.extentCount());
    }
}
