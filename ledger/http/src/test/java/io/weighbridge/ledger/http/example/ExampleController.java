package io.weighbridge.ledger.http.example;

import io.weighbridge.ledger.http.calls.CallLimits;
import io.weighbridge.ledger.http.calls.Calls;
import io.weighbridge.ledger.http.feed.EventStream;
import io.weighbridge.ledger.http.fence.Etag;
import io.weighbridge.ledger.http.fence.IdempotencyKey;
import io.weighbridge.ledger.http.fence.IfMatch;
import io.weighbridge.ledger.http.limit.LongRunning;
import io.weighbridge.ledger.http.openapi.Answers;
import io.weighbridge.ledger.http.openapi.Refusals;
import io.weighbridge.ledger.http.paging.Page;
import io.weighbridge.ledger.http.paging.PageQuery;
import io.weighbridge.ledger.http.paging.PageRequest;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** One endpoint for each thing the edge does. */
@RestController
@RequestMapping("/v1")
class ExampleController {

    private static final Logger log = LoggerFactory.getLogger(ExampleController.class);

    private final Calls calls;

    ExampleController(Calls calls) {
        this.calls = calls;
    }

    /**
     * Weighs a wagon.
     *
     * @param weighing what stands on the scales
     */
    @PostMapping("/weighings")
    @Refusals({ProblemCode.CONFLICT, ProblemCode.NO_SPACE})
    Mono<Weighing> weigh(@RequestBody Weighing weighing, Caller caller, @Nullable IdempotencyKey key) {
        return Mono.just(weighing);
    }

    @GetMapping("/whoami")
    Mono<Map<String, Object>> whoAmI(
            Caller caller, @RequestParam(name = "tenant_id", required = false) @Nullable String tenantId) {
        return Mono.just(new TreeMap<>(Map.of(
                "tenant", caller.tenant(tenantId),
                "subject", caller.subject(),
                "scopes", caller.scopes().stream().map(Scope::text).sorted().toList())));
    }

    @GetMapping("/operators")
    Mono<String> operatorsOnly(Caller caller) {
        caller.require(Scope.PLATFORM_ADMIN);
        return Mono.just("welcome");
    }

    @GetMapping("/internal/work")
    Mono<String> internalOnly() {
        return Mono.just("work");
    }

    @GetMapping("/wagons/{id}")
    ResponseEntity<Map<String, UUID>> wagon(@PathVariable UUID id) {
        return Etag.ok(7, Map.of("id", id));
    }

    @GetMapping("/revisions/{id}")
    Mono<String> revision(@PathVariable RevisionId id) {
        return Mono.just(id.hex());
    }

    /**
     * Moves a wagon.
     *
     * <p>Only when it stands where the caller believes it stands.
     *
     * @param id of the wagon
     */
    @Answers({202, 200})
    @PostMapping("/wagons/{id}/move")
    @Refusals({ProblemCode.CONFLICT, ProblemCode.NOT_READY})
    Mono<Map<String, String>> move(@PathVariable UUID id, Fence fence) {
        return Mono.just(Map.of("fence", fence.toString()));
    }

    @PostMapping("/wagons/{id}/acquire")
    Mono<Map<String, String>> acquire(@PathVariable UUID id, @IfMatch(any = true) Fence fence) {
        return Mono.just(Map.of("fence", fence.toString()));
    }

    @GetMapping("/numbers")
    Mono<Page<Integer>> numbers(PageRequest page, @RequestParam(defaultValue = "10") int limit) {
        PageQuery query = PageQuery.of("numbers", limit);
        int from = page.after(query)
                .map(key -> Integer.parseInt(key.getFirst()) + 1)
                .orElse(0);
        List<Integer> rows =
                IntStream.range(from, limit).limit(page.pageSize() + 1L).boxed().toList();
        return Mono.just(query.page(rows, page.pageSize(), row -> List.of(row.toString())));
    }

    @GetMapping("/refused")
    Mono<String> refused(@RequestParam ProblemCode code) {
        return Mono.error(new ProblemException(code, "as asked"));
    }

    @GetMapping("/broken")
    Mono<String> broken() {
        return Mono.error(new IllegalStateException("secret of the house"));
    }

    @GetMapping("/never")
    Mono<String> never() {
        return Mono.never();
    }

    @GetMapping("/slow")
    @LongRunning
    Mono<String> slow(@RequestParam long millis) {
        return Mono.delay(Duration.ofMillis(millis)).thenReturn("done");
    }

    @GetMapping("/leases/slow/renew")
    Mono<String> vital() {
        return Mono.just("alive");
    }

    @GetMapping("/traced")
    Mono<Map<String, String>> traced() {
        return Mono.delay(Duration.ofMillis(1)).map(tick -> {
            log.info("on another thread");
            return Map.of("trace_id", Optional.ofNullable(MDC.get("trace_id")).orElse("none"));
        });
    }

    /** Calls an endpoint of a service of this kind on another port. */
    @GetMapping("/via")
    Mono<String> via(@RequestParam int port, @RequestParam String path) {
        return calls.webClient("example", "http://127.0.0.1:" + port, CallLimits.standard())
                .get()
                .uri(path)
                .retrieve()
                .bodyToMono(String.class);
    }

    @LongRunning
    @GetMapping(path = "/feed", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<ServerSentEvent<Map<String, Integer>>> feed(ServerHttpRequest request) {
        int from = EventStream.lastEventId(request).map(Integer::parseInt).orElse(0);
        return EventStream.of(
                Flux.range(from + 1, 3).map(n -> Map.of("n", n)), entry -> String.valueOf(entry.get("n")));
    }
}
