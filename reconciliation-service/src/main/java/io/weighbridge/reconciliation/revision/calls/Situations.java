package io.weighbridge.reconciliation.revision.calls;

import io.weighbridge.ledger.http.calls.CallLimits;
import io.weighbridge.ledger.http.calls.Calls;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.wire.Situation;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** Reads situations, which for revisions of many members are the largest answers there are. */
public final class Situations {

    private static final int MAX_BYTES = 256 << 20;

    private final WebClient metadata;

    public Situations(Calls calls, String metadataUrl) {
        this.metadata = calls.webClient("metadata-service", metadataUrl, CallLimits.standard())
                .mutate()
                .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(MAX_BYTES))
                .build();
    }

    /** What is so and what is wanted, of one moment; NOT_FOUND for an unknown revision. */
    public Mono<Situation> read(RevisionId revision) {
        return metadata.get()
                .uri("/v1/internal/revisions/{id}/situation", revision.hex())
                .retrieve()
                .bodyToMono(Situation.class);
    }
}
