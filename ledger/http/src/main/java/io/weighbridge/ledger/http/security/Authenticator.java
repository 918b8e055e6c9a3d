package io.weighbridge.ledger.http.security;

import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.problem.ProblemException;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import reactor.core.publisher.Mono;

/** Finds the caller behind a bearer token: services and agents first, then static tokens, then JWTs. */
final class Authenticator implements ReactiveAuthenticationManager {

    private static final String TENANT_CLAIM = "tenant";
    private static final String SCOPE_CLAIM = "scope";

    private final TokenFile peers;
    private final TokenFile tokens;
    private final @Nullable ReactiveJwtDecoder jwt;

    Authenticator(TokenFile peers, TokenFile tokens, @Nullable ReactiveJwtDecoder jwt) {
        this.peers = peers;
        this.tokens = tokens;
        this.jwt = jwt;
    }

    @Override
    public Mono<Authentication> authenticate(Authentication authentication) {
        if (authentication instanceof CallerAuthentication) {
            return Mono.just(authentication);
        }
        if (!(authentication instanceof BearerTokenAuthenticationToken bearer)) {
            return Mono.error(unknown());
        }
        Optional<Caller> known = peers.find(bearer.getToken()).or(() -> tokens.find(bearer.getToken()));
        if (known.isPresent()) {
            return Mono.just(new CallerAuthentication(known.get()));
        }
        if (jwt == null) {
            return Mono.error(unknown());
        }
        return jwt.decode(bearer.getToken())
                .onErrorMap(JwtException.class, e -> unknown())
                .map(token -> new CallerAuthentication(caller(token)));
    }

    private static Caller caller(Jwt token) {
        String subject = token.getSubject();
        Set<Scope> scopes = scopes(token.getClaim(SCOPE_CLAIM));
        try {
            String tenant = token.getClaimAsString(TENANT_CLAIM);
            return new Caller(
                    tenant == null ? null : Validation.tenant(TENANT_CLAIM, tenant),
                    Validation.text("sub", subject),
                    scopes);
        } catch (ProblemException e) {
            throw unknown();
        }
    }

    private static Set<Scope> scopes(@Nullable Object claim) {
        Collection<?> texts = switch (claim) {
            case null -> Set.of();
            case Collection<?> several -> several;
            default -> Arrays.asList(claim.toString().split(" "));
        };
        Set<Scope> scopes = EnumSet.noneOf(Scope.class);
        texts.forEach(text -> Scope.parse(String.valueOf(text)).ifPresent(scopes::add));
        return scopes;
    }

    private static BadCredentialsException unknown() {
        return new BadCredentialsException("unknown credential");
    }
}
