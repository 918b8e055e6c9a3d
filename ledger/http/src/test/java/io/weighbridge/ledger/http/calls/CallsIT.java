package io.weighbridge.ledger.http.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.http.HttpEdge;
import io.weighbridge.ledger.http.example.ExampleService;
import io.weighbridge.ledger.http.security.BearerTokens;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.http.security.TokenFile;
import io.weighbridge.ledger.http.trace.TraceContext;
import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.annotation.PostExchange;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.test.StepVerifier;

/** Calls between two services: credentials, traces, refusals and troubles. */
class CallsIT {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Some of the example's endpoints. */
    interface Example {

        @GetExchange("/v1/refused")
        Mono<String> refused(@RequestParam ProblemCode code);

        @PostExchange("/v1/wagons/{id}/move")
        Mono<Map<String, String>> move(@PathVariable UUID id, Fence fence);

        @GetExchange("/v1/internal/work")
        Mono<String> work();

        @GetExchange("/v1/traced")
        Mono<Map<String, String>> traced();
    }

    private static ConfigurableApplicationContext callee;
    private static ConfigurableApplicationContext caller;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        String token = BearerTokens.newToken();
        Path peers = directory.resolve("peers.json");
        TokenFile.write(peers, List.of(TokenFile.Entry.of(token, "service/example", null, Scope.LEDGER_INTERNAL)));
        callee = ExampleService.start("weighbridge.security.peer-token-file=" + peers);
        caller = ExampleService.start("weighbridge.security.own-token=" + token);
    }

    @AfterAll
    static void stop() {
        caller.close();
        callee.close();
    }

    private static Example example(String peer, int port) {
        return caller.getBean(Calls.class).client(peer, "http://127.0.0.1:" + port, Example.class);
    }

    private static Example example() {
        return example("example", HttpEdge.port(callee));
    }

    @Test
    void refusalsOfThePeerAreOurs() {
        for (ProblemCode code : List.of(ProblemCode.BUSY, ProblemCode.NOT_READY, ProblemCode.COVERAGE_FAILED)) {
            StepVerifier.create(example().refused(code))
                    .expectErrorSatisfies(e -> {
                        assertThat(code(e)).isEqualTo(code);
                        assertThat(((ProblemException) e).problem().detail()).isEqualTo("as asked");
                    })
                    .verify(PATIENCE);
        }
    }

    @Test
    void theFenceAndTheOwnTokenGoAlong() {
        StepVerifier.create(example().move(UUID.randomUUID(), Fence.exactly(7)))
                .expectNext(Map.of("fence", "7"))
                .expectComplete()
                .verify(PATIENCE);
        StepVerifier.create(example().work())
                .expectNext("work")
                .expectComplete()
                .verify(PATIENCE);
    }

    @Test
    void theTraceGoesAlong() {
        TraceContext trace = TraceContext.begin();
        StepVerifier.create(example().traced().contextWrite(c -> c.put(TraceContext.CONTEXT_KEY, trace)))
                .expectNext(Map.of("trace_id", trace.traceId()))
                .expectComplete()
                .verify(PATIENCE);
    }

    @Test
    void anUnreachablePeerIsUnavailable() {
        DisposableServer gone = HttpServer.create().host("127.0.0.1").port(0).bindNow(Duration.ofSeconds(10));
        int port = gone.port();
        gone.disposeNow();
        expect(example("gone", port).work(), ProblemCode.UNAVAILABLE);
    }

    @Test
    void aSilentPeerExceedsTheDeadline() {
        DisposableServer silent = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle((request, response) -> Mono.never())
                .bindNow(Duration.ofSeconds(10));
        try {
            CallLimits limits = CallLimits.standard().withAnswerTimeout(Duration.ofMillis(200));
            Example client = caller.getBean(Calls.class)
                    .client("silent", "http://127.0.0.1:" + silent.port(), Example.class, limits);
            expect(client.work(), ProblemCode.DEADLINE_EXCEEDED);
        } finally {
            silent.disposeNow();
        }
    }

    @Test
    void readsAreRepeatedCommandsAreNotAndATroubledPeerRests() {
        AtomicInteger calls = new AtomicInteger();
        DisposableServer troubled = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle((request, response) -> {
                    calls.incrementAndGet();
                    return response.status(503).send();
                })
                .bindNow(Duration.ofSeconds(10));
        try {
            Example client = example("troubled", troubled.port());
            expect(client.work(), ProblemCode.UNAVAILABLE);
            assertThat(calls).hasValue(3);
            expect(client.move(UUID.randomUUID(), Fence.exactly(1)), ProblemCode.UNAVAILABLE);
            assertThat(calls).hasValue(4);
            for (int i = 0; i < 6; i++) {
                expect(client.move(UUID.randomUUID(), Fence.exactly(1)), ProblemCode.UNAVAILABLE);
            }
            assertThat(calls).hasValue(10);
            expect(client.work(), ProblemCode.UNAVAILABLE);
            assertThat(calls).as("the circuit is open").hasValue(10);
        } finally {
            troubled.disposeNow();
        }
    }

    private static void expect(Mono<?> call, ProblemCode code) {
        StepVerifier.create(call)
                .expectErrorSatisfies(e -> assertThat(code(e)).isEqualTo(code))
                .verify(PATIENCE);
    }

    private static ProblemCode code(Throwable failure) {
        assertThat(failure).isInstanceOf(ProblemException.class);
        return ((ProblemException) failure).problem().code();
    }
}
