package io.weighbridge.ledger.http.security;

import org.springframework.http.HttpHeaders;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.server.resource.web.server.authentication.ServerBearerTokenAuthenticationConverter;
import org.springframework.security.web.server.authentication.ServerAuthenticationConverter;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** The credential of a request: a bearer token, or on an anonymous loopback listener that it comes from this host. */
final class CredentialReader implements ServerAuthenticationConverter {

    private final ServerBearerTokenAuthenticationConverter bearer = new ServerBearerTokenAuthenticationConverter();
    private final boolean anonymous;

    CredentialReader(boolean anonymous) {
        this.anonymous = anonymous;
    }

    @Override
    public Mono<Authentication> convert(ServerWebExchange exchange) {
        if (exchange.getRequest().getHeaders().containsHeader(HttpHeaders.AUTHORIZATION)) {
            return bearer.convert(exchange);
        }
        return anonymous && Loopback.isLocal(exchange.getRequest().getRemoteAddress())
                ? Mono.just(new CallerAuthentication(Caller.local()))
                : Mono.empty();
    }
}
