package io.weighbridge.reconciliation.revision.calls;

import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.wire.Claimed;
import io.weighbridge.wire.PlanReplicas;
import io.weighbridge.wire.PutStarted;
import io.weighbridge.wire.RetireReplicas;
import io.weighbridge.wire.RetiredReplicas;
import io.weighbridge.wire.StartAutoRepair;
import io.weighbridge.wire.WorkPage;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.HttpExchange;
import org.springframework.web.service.annotation.PostExchange;
import reactor.core.publisher.Mono;

/** metadata-service's commands for reconcilers (spec 5.2, Internal); refusals are ProblemExceptions. */
@HttpExchange("/v1")
public interface MetadataCalls {

    @GetExchange("/internal/work")
    Mono<WorkPage> work(@RequestParam(required = false) @Nullable String after);

    @PostExchange("/internal/revisions/{id}/observe")
    Mono<Void> observe(@PathVariable String id, @RequestBody Claimed body);

    @PostExchange("/internal/revisions/{id}/progress")
    Mono<Void> progress(@PathVariable String id, @RequestBody Claimed body);

    @PostExchange("/internal/revisions/{id}/finish")
    Mono<Void> finish(@PathVariable String id, @RequestBody Claimed body);

    @PostExchange("/internal/revisions/{id}/finish-delete")
    Mono<Void> finishDelete(@PathVariable String id, @RequestBody Claimed body);

    @PostExchange("/internal/revisions/{id}/repair")
    Mono<Void> startRepair(@PathVariable String id, @RequestBody StartAutoRepair body);

    @PostExchange("/revisions/{id}/abort")
    Mono<Void> abort(@PathVariable String id, Fence fence, @RequestParam("idle_ms") long idleMillis);

    @PostExchange("/internal/replicas/plan")
    Mono<PutStarted> plan(@RequestBody PlanReplicas body);

    @PostExchange("/internal/replicas/retire")
    Mono<RetiredReplicas> retire(@RequestBody RetireReplicas body);
}
