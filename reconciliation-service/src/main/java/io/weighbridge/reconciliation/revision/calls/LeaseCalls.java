package io.weighbridge.reconciliation.revision.calls;

import io.weighbridge.wire.Keys;
import io.weighbridge.wire.ObjectResults;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import reactor.core.publisher.Mono;

/** What is needed of lease-service: leave to read copies (spec 2.3). */
@HttpExchange("/v1")
public interface LeaseCalls {

    /** @param tenantId whose objects; a service has no tenant of its own */
    @PostExchange("/objects/locate")
    Mono<ObjectResults> locate(@RequestParam("tenant_id") String tenantId, @RequestBody Keys keys);
}
