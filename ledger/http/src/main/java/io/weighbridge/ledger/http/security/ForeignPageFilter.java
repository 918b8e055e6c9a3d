package io.weighbridge.ledger.http.security;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Keeps web pages of other sites away from a listener that asks for no credential (spec 5.3). */
final class ForeignPageFilter implements WebFilter {

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return Loopback.isAddressedToThisHost(exchange.getRequest())
                ? chain.filter(exchange)
                : Mono.error(new ProblemException(
                        ProblemCode.PERMISSION_DENIED, "Host or Origin is foreign to this listener"));
    }
}
