package io.weighbridge.ledger.http.limit;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.server.PathContainer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import reactor.core.publisher.Mono;

/**
 * Bounds the requests whose answer has not begun. What keeps leases, nodes and update cycles alive may use twice the
 * limit and so is shed last; probes are never shed (spec 5.1).
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
public final class ConcurrencyFilter implements WebFilter {

    private static final List<PathPattern> KEEPS_ALIVE = patterns(
            "/v1/leases/**", "/v1/nodes/*/heartbeat", "/v1/revisions/*/heartbeat", "/v1/update-cycles/*/votes");
    private static final List<PathPattern> PROBES = patterns("/healthz", "/readyz", "/metrics");

    private final AtomicInteger inProgress = new AtomicInteger();
    private final int limit;

    public ConcurrencyFilter(int limit) {
        this.limit = limit;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        PathContainer path = exchange.getRequest().getPath().pathWithinApplication();
        if (matches(PROBES, path)) {
            return chain.filter(exchange);
        }
        return Mono.defer(() -> {
            int now = inProgress.incrementAndGet();
            if (now > limit && (now > 2L * limit || !matches(KEEPS_ALIVE, path))) {
                inProgress.decrementAndGet();
                return Mono.error(new ProblemException(ProblemCode.UNAVAILABLE, "too many requests are in progress"));
            }
            AtomicBoolean counted = new AtomicBoolean(true);
            Runnable done = () -> {
                if (counted.compareAndSet(true, false)) {
                    inProgress.decrementAndGet();
                }
            };
            exchange.getResponse().beforeCommit(() -> Mono.fromRunnable(done));
            return chain.filter(exchange).doFinally(signal -> done.run());
        });
    }

    /** Requests whose answer has not begun. */
    public int inProgress() {
        return inProgress.get();
    }

    private static boolean matches(List<PathPattern> patterns, PathContainer path) {
        for (PathPattern pattern : patterns) {
            if (pattern.matches(path)) {
                return true;
            }
        }
        return false;
    }

    private static List<PathPattern> patterns(String... patterns) {
        return List.of(patterns).stream()
                .map(PathPatternParser.defaultInstance::parse)
                .toList();
    }
}
