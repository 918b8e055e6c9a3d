package io.weighbridge.agent.registration.calls;

import io.weighbridge.wire.ExtentPage;
import io.weighbridge.wire.Heartbeat;
import io.weighbridge.wire.HeartbeatAnswer;
import io.weighbridge.wire.RegisterNode;
import io.weighbridge.wire.RegisteredNode;
import io.weighbridge.wire.ReportResults;
import io.weighbridge.wire.Reports;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.PostExchange;
import reactor.core.publisher.Mono;

/** What an agent asks of metadata-service. */
interface MetadataCalls {

    @PostExchange("/v1/nodes")
    Mono<RegisteredNode> register(@RequestBody RegisterNode node);

    @GetExchange("/v1/nodes/{id}/segments/{segmentId}/extents")
    Mono<ExtentPage> extents(
            @PathVariable("id") UUID id,
            @PathVariable("segmentId") UUID segmentId,
            @RequestParam("page_size") int pageSize,
            @RequestParam(name = "page_token", required = false) @Nullable String pageToken);

    @PostExchange("/v1/nodes/{id}/segments/{segmentId}/mount")
    Mono<Void> mount(
            @PathVariable("id") UUID id,
            @PathVariable("segmentId") UUID segmentId,
            @RequestParam("agent_incarnation") UUID agentIncarnation);

    @PostExchange("/v1/nodes/{id}/heartbeat")
    Mono<HeartbeatAnswer> heartbeat(@PathVariable("id") UUID id, @RequestBody Heartbeat heartbeat);

    @PostExchange("/v1/nodes/{id}/reports")
    Mono<ReportResults> report(@PathVariable("id") UUID id, @RequestBody Reports reports);
}
