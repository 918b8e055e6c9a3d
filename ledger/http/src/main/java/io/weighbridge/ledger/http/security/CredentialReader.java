package io.weighbridge.ledger.http.security;

import java.security.cert.X509Certificate;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.server.resource.web.server.authentication.ServerBearerTokenAuthenticationConverter;
import org.springframework.security.web.server.authentication.ServerAuthenticationConverter;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * The credential of a request: a bearer token, a peer's client certificate, or on an anonymous loopback listener that
 * it comes from this host.
 */
final class CredentialReader implements ServerAuthenticationConverter {

    private final ServerBearerTokenAuthenticationConverter bearer = new ServerBearerTokenAuthenticationConverter();
    private final TokenFile peers;
    private final boolean anonymous;

    CredentialReader(TokenFile peers, boolean anonymous) {
        this.peers = peers;
        this.anonymous = anonymous;
    }

    @Override
    public Mono<Authentication> convert(ServerWebExchange exchange) {
        if (exchange.getRequest().getHeaders().containsHeader(HttpHeaders.AUTHORIZATION)) {
            return bearer.convert(exchange);
        }
        Optional<Caller> certified = certificate(exchange.getRequest()).flatMap(peers::find);
        if (certified.isPresent()) {
            return Mono.just(new CallerAuthentication(certified.get()));
        }
        return anonymous && Loopback.isLocal(exchange.getRequest().getRemoteAddress())
                ? Mono.just(new CallerAuthentication(Caller.local()))
                : Mono.empty();
    }

    private static Optional<X509Certificate> certificate(ServerHttpRequest request) {
        SslInfo tls = request.getSslInfo();
        X509Certificate[] chain = tls == null ? null : tls.getPeerCertificates();
        return chain == null || chain.length == 0 ? Optional.empty() : Optional.of(chain[0]);
    }
}
