package io.weighbridge.gateway;

import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.reactor.circuitbreaker.operator.CircuitBreakerOperator;
import io.netty.handler.codec.CodecException;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.io.IOException;
import java.time.Duration;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.support.TimeoutException;
import org.springframework.core.Ordered;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.netty.internal.shaded.reactor.pool.PoolAcquirePendingLimitException;

/**
 * One circuit breaker a peer, each agent being one. It, the route's time limit until the peer begins to answer, and a
 * broken connection end in a problem that says whether a retry helps. A body that has begun may go on while it flows.
 */
final class Resilience implements GatewayFilter, Ordered {

    private final String peer;
    private final CircuitBreakerRegistry breakers;
    private final Duration limit;

    Resilience(String peer, CircuitBreakerRegistry breakers, Duration limit) {
        this.peer = peer;
        this.breakers = breakers;
        this.limit = limit;
    }

    /** When it is known which peer it is, and outside all that talks to it. */
    @Override
    public int getOrder() {
        return Target.ORDER + 2;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
        CircuitBreaker breaker = breakers.circuitBreaker("gateway-" + peer + AgentAddress.prefix(exchange));
        return chain.filter(exchange)
                .onErrorMap(this::explain)
                .transformDeferred(CircuitBreakerOperator.of(breaker))
                .onErrorMap(
                        CallNotPermittedException.class,
                        open -> problem(ProblemCode.UNAVAILABLE, "has failed repeatedly and rests"));
    }

    private Throwable explain(Throwable error) {
        return switch (error) {
            case ProblemException problem -> problem;
            case ResponseStatusException status
            when status.getCause() instanceof TimeoutException ->
                problem(ProblemCode.DEADLINE_EXCEEDED, "did not answer within " + limit.toMillis() + " ms");
            // The routing's own time limit is the case above: this one waited for a connection.
            case java.util.concurrent.TimeoutException noConnection ->
                problem(ProblemCode.UNAVAILABLE, "has no free connection");
            case PoolAcquirePendingLimitException tooMany -> problem(ProblemCode.UNAVAILABLE, "has no free connection");
            case IOException broken -> problem(ProblemCode.UNAVAILABLE, "cannot be reached");
            case CodecException garbled -> problem(ProblemCode.UNAVAILABLE, "does not speak HTTP");
            default -> error;
        };
    }

    private ProblemException problem(ProblemCode code, String what) {
        return new ProblemException(code, peer + " " + what);
    }
}
