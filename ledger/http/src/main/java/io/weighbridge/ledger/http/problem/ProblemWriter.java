package io.weighbridge.ledger.http.problem;

import io.weighbridge.ledger.http.trace.TraceContext;
import io.weighbridge.ledger.problem.Problem;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Writes a problem as the answer, whatever the caller accepts. */
public final class ProblemWriter {

    /** Seconds after which a caller may try again. */
    private static final String RETRY_AFTER = "1";

    private final JsonMapper json;

    public ProblemWriter(JsonMapper json) {
        this.json = json;
    }

    /** Answers with the problem; the answer must not have begun. */
    public Mono<Void> write(ServerWebExchange exchange, Problem problem) {
        ServerHttpResponse response = exchange.getResponse();
        response.setStatusCode(HttpStatusCode.valueOf(ProblemStatus.of(problem.code())));
        HttpHeaders headers = response.getHeaders();
        headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        headers.remove(HttpHeaders.ETAG);
        if (ProblemStatus.hasRetryAfter(problem.code())) {
            headers.set(HttpHeaders.RETRY_AFTER, RETRY_AFTER);
        }
        byte[] body = json.writeValueAsBytes(
                ProblemBodies.of(problem, TraceContext.of(exchange).traceId()));
        headers.setContentLength(body.length);
        DataBuffer buffer = response.bufferFactory().wrap(body);
        return response.writeWith(Mono.just(buffer));
    }
}
