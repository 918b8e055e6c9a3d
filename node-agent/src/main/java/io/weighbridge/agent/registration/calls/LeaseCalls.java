package io.weighbridge.agent.registration.calls;

import io.weighbridge.wire.Keys;
import io.weighbridge.wire.ObjectResults;
import io.weighbridge.wire.ReadLeaseKeys;
import java.util.UUID;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.PostExchange;
import reactor.core.publisher.Mono;

/** What an agent asks of lease-service. */
interface LeaseCalls {

    @GetExchange("/v1/read-lease-keys")
    Mono<ReadLeaseKeys> keys(@RequestParam("node_id") UUID nodeId);

    @PostExchange("/v1/objects/locate")
    Mono<ObjectResults> locate(@RequestParam("tenant_id") String tenantId, @RequestBody Keys keys);
}
