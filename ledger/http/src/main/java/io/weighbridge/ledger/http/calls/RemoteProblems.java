package io.weighbridge.ledger.http.calls;

import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.netty.handler.timeout.TimeoutException;
import io.weighbridge.ledger.http.problem.ProblemBodies;
import io.weighbridge.ledger.http.problem.ProblemStatus;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.wire.ProblemBody;
import java.io.IOException;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClientException;
import reactor.core.publisher.Mono;

/** Refusals of other services, and failures to reach them, as problems of ours. */
public final class RemoteProblems {

    private RemoteProblems() {}

    /** The answer itself, or its refusal as an error. */
    public static Mono<ClientResponse> refuse(ClientResponse answer) {
        if (!answer.statusCode().isError()) {
            return Mono.just(answer);
        }
        int status = answer.statusCode().value();
        ProblemException unexplained = new ProblemException(
                ProblemStatus.codeFor(status), "the called service answered " + status + " without a reason");
        boolean explained = answer.headers()
                .contentType()
                .filter(MediaType.APPLICATION_PROBLEM_JSON::isCompatibleWith)
                .isPresent();
        if (!explained) {
            return answer.releaseBody().then(Mono.error(unexplained));
        }
        return answer.bodyToMono(ProblemBody.class)
                .onErrorResume(e -> Mono.empty())
                .flatMap(body -> Mono.<ClientResponse>error(new ProblemException(ProblemBodies.toProblem(body))))
                .switchIfEmpty(Mono.error(unexplained));
    }

    /** The problem behind a failed call; other failures stay what they are. */
    public static Throwable explain(String peer, Throwable failure) {
        if (failure instanceof ProblemException) {
            return failure;
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof TimeoutException || cause instanceof java.util.concurrent.TimeoutException) {
                return problem(ProblemCode.DEADLINE_EXCEEDED, peer + " did not answer in time");
            }
            if (cause instanceof CallNotPermittedException) {
                return problem(ProblemCode.UNAVAILABLE, peer + " has failed repeatedly and rests");
            }
            if (cause instanceof IOException) {
                return problem(ProblemCode.UNAVAILABLE, peer + " cannot be reached");
            }
        }
        return failure instanceof WebClientException
                ? problem(ProblemCode.UNAVAILABLE, "the call of " + peer + " failed")
                : failure;
    }

    private static ProblemException problem(ProblemCode code, String detail) {
        return new ProblemException(Problem.of(code, detail));
    }
}
