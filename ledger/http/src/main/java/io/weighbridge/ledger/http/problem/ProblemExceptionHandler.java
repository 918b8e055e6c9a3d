package io.weighbridge.ledger.http.problem;

import io.weighbridge.ledger.http.trace.TraceContext;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.ErrorResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;

/** The last word on every request that fails: refusals become answers, defects become INTERNAL and one log line. */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class ProblemExceptionHandler implements WebExceptionHandler {

    private static final Logger log = LoggerFactory.getLogger(ProblemExceptionHandler.class);

    private final ProblemWriter writer;

    public ProblemExceptionHandler(ProblemWriter writer) {
        this.writer = writer;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        if (exchange.getResponse().isCommitted() || AbortedException.isConnectionReset(failure)) {
            return Mono.error(failure);
        }
        Optional<Problem> foreseen = FrameworkProblems.of(failure);
        if (foreseen.isEmpty()) {
            logDefect(exchange, failure);
        } else if (log.isDebugEnabled()) {
            log.debug("{} {} refused: {}", method(exchange), path(exchange), failure.toString());
        }
        if (failure instanceof ErrorResponse answer) {
            exchange.getResponse().getHeaders().addAll(answer.getHeaders());
        }
        return writer.write(
                exchange,
                foreseen.orElseGet(() -> Problem.of(
                        ProblemCode.INTERNAL, "a defect of this service; its log has more under the trace_id")));
    }

    private static void logDefect(ServerWebExchange exchange, Throwable failure) {
        try (MDC.MDCCloseable ignored =
                MDC.putCloseable(TraceContext.MDC_KEY, TraceContext.of(exchange).traceId())) {
            log.error("{} {} failed", method(exchange), path(exchange), failure);
        }
    }

    private static String method(ServerWebExchange exchange) {
        return exchange.getRequest().getMethod().name();
    }

    private static String path(ServerWebExchange exchange) {
        return exchange.getRequest().getPath().value();
    }
}
