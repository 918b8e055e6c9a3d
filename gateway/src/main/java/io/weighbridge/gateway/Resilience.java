package io.weighbridge.gateway;

import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.reactor.circuitbreaker.operator.CircuitBreakerOperator;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.io.IOException;
import java.time.Duration;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * One circuit breaker a peer. It, the route's time limit until the peer begins to answer, and a broken connection end in
 * a problem that says whether a retry helps. A body that has begun may go on as long as it flows.
 */
final class Resilience implements GatewayFilter {

    private final String peer;
    private final CircuitBreaker breaker;
    private final Duration limit;

    Resilience(String peer, CircuitBreakerRegistry breakers, Duration limit) {
        this.peer = peer;
        this.breaker = breakers.circuitBreaker("gateway-" + peer);
        this.limit = limit;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
        return chain.filter(exchange)
                .onErrorMap(this::explain)
                .transformDeferred(CircuitBreakerOperator.of(breaker))
                .onErrorMap(
                        CallNotPermittedException.class,
                        open -> problem(ProblemCode.UNAVAILABLE, "does not answer at present"));
    }

    private Throwable explain(Throwable error) {
        return switch (error) {
            case ProblemException problem -> problem;
            case ResponseStatusException status
            when status.getStatusCode() == HttpStatus.GATEWAY_TIMEOUT ->
                problem(ProblemCode.DEADLINE_EXCEEDED, "did not answer within " + limit.toMillis() + " ms");
            case IOException broken -> problem(ProblemCode.UNAVAILABLE, "cannot be reached");
            default -> error;
        };
    }

    private ProblemException problem(ProblemCode code, String what) {
        return new ProblemException(code, peer + " " + what);
    }
}
