package io.weighbridge.reconciliation.revision.http;

import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.reconciliation.revision.application.Figures;
import io.weighbridge.wire.ReconcilerStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** {@code GET /v1/reconciler/status} (spec 5.2). */
@RestController
@RequestMapping("/v1/reconciler")
public class ReconcilerController {

    private final Figures figures;

    ReconcilerController(Figures figures) {
        this.figures = figures;
    }

    /** Counts over all tenants, without names: for whoever may read weights. */
    @GetMapping("/status")
    Mono<ReconcilerStatus> getReconcilerStatus(Caller caller) {
        caller.require(Scope.WEIGHTS_READ, Scope.PLATFORM_ADMIN);
        return figures.now();
    }
}
