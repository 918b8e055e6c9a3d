package io.weighbridge.agent.content.application;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Notices that a sender has stopped without closing, at the cost of one clock reading for each buffer. */
final class Silence {

    private final Duration patience;
    private volatile long lastHeard = System.nanoTime();

    Silence(Duration patience) {
        this.patience = patience;
    }

    void broken() {
        lastHeard = System.nanoTime();
    }

    /** Fails with DEADLINE_EXCEEDED once nothing was heard for as long as patience lasts. */
    Mono<Void> tooLong() {
        return Flux.interval(patience.dividedBy(4))
                .onBackpressureDrop()
                .filter(tick -> System.nanoTime() - lastHeard > patience.toNanos())
                .next()
                .flatMap(tick -> Mono.error(new ProblemException(
                        ProblemCode.DEADLINE_EXCEEDED, "nothing was sent for " + patience.toSeconds() + " s")));
    }
}
