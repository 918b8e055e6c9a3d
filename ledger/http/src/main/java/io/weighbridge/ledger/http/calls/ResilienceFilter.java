package io.weighbridge.ledger.http.calls;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.reactor.circuitbreaker.operator.CircuitBreakerOperator;
import io.github.resilience4j.reactor.retry.RetryOperator;
import io.github.resilience4j.reactor.timelimiter.TimeLimiterOperator;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.timelimiter.TimeLimiter;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.time.Duration;
import org.springframework.http.HttpMethod;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/** Time limit, then circuit breaker, then repetition of reads: each attempt counts for the breaker. */
final class ResilienceFilter implements ExchangeFilterFunction {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    private final String peer;
    private final CircuitBreaker breaker;
    private final TimeLimiter limiter;
    private final Retry retry;

    ResilienceFilter(String peer, CircuitBreaker breaker, CallLimits limits) {
        this.peer = peer;
        this.breaker = breaker;
        this.limiter = TimeLimiter.of(limits.connectTimeout().plus(limits.answerTimeout()));
        this.retry = Retry.of(
                peer,
                RetryConfig.custom()
                        .maxAttempts(limits.attempts())
                        .intervalFunction(IntervalFunction.ofExponentialRandomBackoff(FIRST_PAUSE, 2.0, 0.5))
                        .retryOnException(ResilienceFilter::isUnreachable)
                        .build());
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        Mono<ClientResponse> attempt = Mono.defer(() -> next.exchange(request))
                .flatMap(RemoteProblems::refuse)
                .transformDeferred(TimeLimiterOperator.of(limiter))
                .onErrorMap(failure -> RemoteProblems.explain(peer, failure))
                .transformDeferred(CircuitBreakerOperator.of(breaker))
                .onErrorMap(failure -> RemoteProblems.explain(peer, failure));
        boolean repeatable = request.method() == HttpMethod.GET || request.method() == HttpMethod.HEAD;
        return repeatable ? attempt.transformDeferred(RetryOperator.of(retry)) : attempt;
    }

    /** The peer is in trouble; a refusal is an answer like any other. */
    static boolean isTrouble(Throwable failure) {
        return !(failure instanceof ProblemException refusal)
                || switch (refusal.problem().code()) {
                    case UNAVAILABLE, DEADLINE_EXCEEDED, INTERNAL -> true;
                    default -> false;
                };
    }

    private static boolean isUnreachable(Throwable failure) {
        return failure instanceof ProblemException refusal && refusal.problem().code() == ProblemCode.UNAVAILABLE;
    }
}
