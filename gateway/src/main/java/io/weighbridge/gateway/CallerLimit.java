package io.weighbridge.gateway;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.http.security.CallerArgument;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.time.Duration;
import java.util.List;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.core.Ordered;
import org.springframework.http.server.PathContainer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import reactor.core.publisher.Mono;

/** So many requests a second of one caller. Renewals, releases, heartbeats and votes always pass (spec 5.1). */
final class CallerLimit implements GlobalFilter, Ordered {

    /** More callers than a site has: then counting starts again rather than filling the memory. */
    private static final int MAX_CALLERS = 10_000;

    private static final List<PathPattern> NEVER_LIMITED = List.of(
                    "/v1/leases/**",
                    "/v1/nodes/*/heartbeat",
                    "/v1/nodes/*/reports",
                    "/v1/revisions/*/heartbeat",
                    "/v1/update-cycles/*/votes")
            .stream()
            .map(PathPatternParser.defaultInstance::parse)
            .toList();

    private final RateLimiterConfig config;
    private volatile RateLimiterRegistry callers;

    CallerLimit(int requestsPerSecond) {
        this.config = RateLimiterConfig.custom()
                .limitForPeriod(requestsPerSecond)
                .limitRefreshPeriod(Duration.ofSeconds(1))
                .timeoutDuration(Duration.ZERO)
                .build();
        this.callers = RateLimiterRegistry.of(config);
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
        PathContainer path = exchange.getRequest().getPath().pathWithinApplication();
        if (NEVER_LIMITED.stream().anyMatch(pattern -> pattern.matches(path))) {
            return chain.filter(exchange);
        }
        return CallerArgument.current()
                .map(caller -> of(caller).acquirePermission())
                .defaultIfEmpty(true)
                .flatMap(permitted -> permitted
                        ? chain.filter(exchange)
                        : Mono.error(new ProblemException(
                                ProblemCode.RATE_LIMITED,
                                "more than " + config.getLimitForPeriod() + " requests a second")));
    }

    private RateLimiter of(Caller caller) {
        RateLimiterRegistry known = callers;
        if (known.getAllRateLimiters().size() > MAX_CALLERS) {
            known = RateLimiterRegistry.of(config);
            callers = known;
        }
        return known.rateLimiter(caller.tenantId() + " " + caller.subject());
    }
}
