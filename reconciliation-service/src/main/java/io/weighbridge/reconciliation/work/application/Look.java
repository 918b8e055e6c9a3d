package io.weighbridge.reconciliation.work.application;

import io.weighbridge.reconciliation.work.domain.Claim;
import io.weighbridge.reconciliation.work.domain.Outcome;
import reactor.core.publisher.Mono;

/** Looks at one claimed revision and does what is to be done; cancelled when the claim is lost. */
@FunctionalInterface
public interface Look {

    /** An error signal counts as {@link Outcome.Failed}. */
    Mono<Outcome> at(Claim claim);
}
