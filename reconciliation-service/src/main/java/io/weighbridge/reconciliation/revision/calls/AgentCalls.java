package io.weighbridge.reconciliation.revision.calls;

import io.weighbridge.wire.StartTransfers;
import io.weighbridge.wire.Transfers;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import reactor.core.publisher.Mono;

/** What is needed of a node's agent: to pull copies. */
@HttpExchange("/v1/transfers")
public interface AgentCalls {

    /** Idempotent by target copy. */
    @PostExchange
    Mono<Transfers> start(@RequestBody StartTransfers body);

    /** Those under way and those that ended lately, newest first. */
    @GetExchange
    Mono<Transfers> list();
}
