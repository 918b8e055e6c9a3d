package io.weighbridge.ledger.http.calls;

import io.weighbridge.ledger.http.security.PeerCredential;
import io.weighbridge.ledger.http.trace.TraceContext;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/** The own credential, unless the call brings another, and the trace of the request that made the call necessary. */
final class OwnHeaders implements ExchangeFilterFunction {

    private final PeerCredential credential;

    OwnHeaders(PeerCredential credential) {
        this.credential = credential;
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        return Mono.deferContextual(context -> {
            TraceContext trace = TraceContext.of(context).orElseGet(TraceContext::begin);
            ClientRequest complete = ClientRequest.from(request)
                    .headers(headers -> {
                        headers.set(TraceContext.HEADER, trace.traceparent());
                        if (!headers.containsHeader(HttpHeaders.AUTHORIZATION)) {
                            credential.authorization().ifPresent(own -> headers.set(HttpHeaders.AUTHORIZATION, own));
                        }
                    })
                    .build();
            return next.exchange(complete);
        });
    }
}
