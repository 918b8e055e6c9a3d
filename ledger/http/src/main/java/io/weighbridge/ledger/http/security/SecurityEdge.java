package io.weighbridge.ledger.http.security;

import io.weighbridge.ledger.http.problem.ProblemWriter;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.authorization.ReactiveAuthorizationManager;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusReactiveJwtDecoder;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;
import org.springframework.security.oauth2.jwt.SupplierReactiveJwtDecoder;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.ServerAuthenticationEntryPoint;
import org.springframework.security.web.server.authentication.AuthenticationWebFilter;
import org.springframework.security.web.server.authentication.ServerAuthenticationEntryPointFailureHandler;
import org.springframework.security.web.server.authorization.AuthorizationContext;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;
import org.springframework.security.web.server.firewall.ServerExchangeRejectedHandler;
import reactor.core.publisher.Mono;

/** Authentication and authorization of every listener (spec 5.3): bearer credentials, no sessions, no cookies. */
@Configuration(proxyBeanMethods = false)
@EnableWebFluxSecurity
@EnableConfigurationProperties(SecurityProperties.class)
public class SecurityEdge {

    /** What this host's own probes, scrapers and browsers may read without credential. */
    private static final String[] OPEN_ON_LOOPBACK = {
        "/healthz", "/readyz", "/metrics", "/openapi.yaml", "/openapi.json"
    };

    @Bean
    PeerCredential peerCredential(SecurityProperties properties) {
        return new PeerCredential(properties.ownToken());
    }

    @Bean
    ListenerCheck listenerCheck(SecurityProperties properties, ServerProperties server) {
        return new ListenerCheck(properties, server.getAddress());
    }

    /** Answers what the firewall refuses (such as encoded slashes in paths) with a problem. */
    @Bean
    ServerExchangeRejectedHandler firewallRefusals(ProblemWriter problems) {
        return (exchange, refusal) -> problems.write(
                exchange, Problem.of(ProblemCode.INVALID_ARGUMENT, "the path or a header is not acceptable"));
    }

    @Bean
    SecurityWebFilterChain weighbridgeSecurity(
            ServerHttpSecurity http,
            SecurityProperties properties,
            ServerProperties server,
            ProblemWriter problems,
            ObjectProvider<PublicPaths> publicPaths) {
        TokenFile peers = read(properties.peerTokenFile());
        boolean anonymous = !properties.hasCallersCredentials() && Loopback.isLocal(server.getAddress());
        ServerAuthenticationEntryPoint unauthenticated = (exchange, failure) -> {
            exchange.getResponse().getHeaders().set(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
            return problems.write(
                    exchange, Problem.of(ProblemCode.UNAUTHENTICATED, "the credential is missing, unknown or expired"));
        };
        AuthenticationWebFilter authentication = new AuthenticationWebFilter(
                new Authenticator(peers, read(properties.tokenFile()), jwtDecoder(properties)));
        authentication.setServerAuthenticationConverter(new CredentialReader(peers, anonymous));
        authentication.setSecurityContextRepository(NoOpServerSecurityContextRepository.getInstance());
        authentication.setAuthenticationFailureHandler(
                new ServerAuthenticationEntryPointFailureHandler(unauthenticated));
        String[] everywhere =
                publicPaths.stream().flatMap(paths -> paths.patterns().stream()).toArray(String[]::new);
        if (anonymous) {
            http.addFilterBefore(new ForeignPageFilter(), SecurityWebFiltersOrder.AUTHENTICATION);
        }
        return http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                .formLogin(ServerHttpSecurity.FormLoginSpec::disable)
                .httpBasic(ServerHttpSecurity.HttpBasicSpec::disable)
                .logout(ServerHttpSecurity.LogoutSpec::disable)
                .requestCache(ServerHttpSecurity.RequestCacheSpec::disable)
                .securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
                .addFilterAt(authentication, SecurityWebFiltersOrder.AUTHENTICATION)
                .exceptionHandling(handling -> handling.authenticationEntryPoint(unauthenticated)
                        .accessDeniedHandler((exchange, denied) -> problems.write(
                                exchange,
                                Problem.of(ProblemCode.PERMISSION_DENIED, "the credential does not allow this"))))
                .authorizeExchange(paths -> {
                    if (everywhere.length > 0) {
                        paths.pathMatchers(everywhere).permitAll();
                    }
                    paths.pathMatchers(OPEN_ON_LOOPBACK)
                            .access(SecurityEdge::localOrAuthenticated)
                            .pathMatchers("/v1/internal/**")
                            .access(having(Scope.LEDGER_INTERNAL))
                            .anyExchange()
                            .authenticated();
                })
                .build();
    }

    private static TokenFile read(@Nullable Path file) {
        return file == null ? TokenFile.empty() : TokenFile.read(file);
    }

    /** Discovery waits for the first token, so that a service starts without its issuer. */
    private static @Nullable ReactiveJwtDecoder jwtDecoder(SecurityProperties properties) {
        URI issuer = properties.issuer();
        URI keys = properties.jwkSetUri();
        if (issuer == null && keys == null) {
            return null;
        }
        List<OAuth2TokenValidator<Jwt>> checks = new ArrayList<>();
        checks.add(
                issuer == null
                        ? JwtValidators.createDefault()
                        : JwtValidators.createDefaultWithIssuer(issuer.toString()));
        String audience = properties.audience();
        if (audience != null) {
            checks.add(new JwtClaimValidator<List<String>>("aud", aud -> aud != null && aud.contains(audience)));
        }
        return new SupplierReactiveJwtDecoder(() -> {
            NimbusReactiveJwtDecoder decoder = keys != null
                    ? NimbusReactiveJwtDecoder.withJwkSetUri(keys.toString())
                            .jwsAlgorithms(algorithms -> algorithms.addAll(List.of(SignatureAlgorithm.values())))
                            .build()
                    : NimbusReactiveJwtDecoder.withIssuerLocation(String.valueOf(issuer))
                            .build();
            decoder.setJwtValidator(new DelegatingOAuth2TokenValidator<>(checks));
            return decoder;
        });
    }

    private static Mono<AuthorizationResult> localOrAuthenticated(
            Mono<Authentication> authentication, AuthorizationContext context) {
        if (Loopback.isLocal(context.getExchange().getRequest().getRemoteAddress())) {
            return Mono.just(new AuthorizationDecision(true));
        }
        return authentication
                .<AuthorizationResult>map(known -> new AuthorizationDecision(known instanceof CallerAuthentication))
                .defaultIfEmpty(new AuthorizationDecision(false));
    }

    private static ReactiveAuthorizationManager<AuthorizationContext> having(Scope scope) {
        return (authentication, context) -> authentication
                .<AuthorizationResult>map(
                        known -> new AuthorizationDecision(known instanceof CallerAuthentication caller
                                && caller.caller().has(scope)))
                .defaultIfEmpty(new AuthorizationDecision(false));
    }

    /** Refuses to start a listener that would answer strangers (spec 5.3). */
    static final class ListenerCheck {

        ListenerCheck(SecurityProperties properties, @Nullable InetAddress address) {
            if (!Loopback.isLocal(address) && !properties.hasCallersCredentials()) {
                throw new IllegalStateException("server.address "
                        + (address == null ? "(every interface)" : address.getHostAddress())
                        + " is not loopback and neither weighbridge.security.issuer nor weighbridge.security.token-file"
                        + " is set: strangers would need no credential");
            }
        }
    }
}
