package io.weighbridge.ledger.http.health;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** {@code /healthz}, {@code /readyz} and {@code /metrics}. */
public final class HealthRoutes {

    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final MediaType PROMETHEUS = MediaType.parseMediaType("text/plain;version=0.0.4;charset=utf-8");

    /** The body of the two probes. */
    record Health(Status status, @Nullable Map<String, Component> components) {}

    /** One component of the readiness. */
    record Component(Status status, @Nullable String detail) {}

    enum Status {
        UP,
        DOWN
    }

    private final List<ReadinessCheck> checks;
    private final PrometheusMeterRegistry metrics;
    private final ApplicationAvailability availability;

    public HealthRoutes(
            List<ReadinessCheck> checks, PrometheusMeterRegistry metrics, ApplicationAvailability availability) {
        this.checks = List.copyOf(checks);
        this.metrics = metrics;
        this.availability = availability;
    }

    /** The routes. */
    public RouterFunction<ServerResponse> routes() {
        return RouterFunctions.route()
                .GET("/healthz", request -> ServerResponse.ok().bodyValue(new Health(Status.UP, null)))
                .GET("/readyz", this::ready)
                .GET("/metrics", this::scrape)
                .build();
    }

    private Mono<ServerResponse> ready(ServerRequest request) {
        return Flux.fromIterable(checks)
                .flatMap(check -> ask(check).map(component -> Map.entry(check.name(), component)))
                .collect(TreeMap<String, Component>::new, (all, entry) -> all.put(entry.getKey(), entry.getValue()))
                .flatMap(components -> {
                    components.put("lifecycle", lifecycle());
                    boolean up = components.values().stream().allMatch(component -> component.status() == Status.UP);
                    return ServerResponse.status(up ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
                            .bodyValue(new Health(up ? Status.UP : Status.DOWN, components));
                });
    }

    private Component lifecycle() {
        return availability.getReadinessState() == ReadinessState.ACCEPTING_TRAFFIC
                ? new Component(Status.UP, null)
                : new Component(Status.DOWN, "starting or stopping");
    }

    private static Mono<Component> ask(ReadinessCheck check) {
        return Mono.defer(check::check)
                .timeout(PATIENCE)
                .map(result -> new Component(result.ready() ? Status.UP : Status.DOWN, result.detail()))
                .defaultIfEmpty(new Component(Status.DOWN, "gave no answer"))
                .onErrorResume(e -> Mono.just(
                        new Component(Status.DOWN, "failed: " + e.getClass().getSimpleName())));
    }

    private Mono<ServerResponse> scrape(ServerRequest request) {
        return Mono.fromCallable(metrics::scrape)
                .subscribeOn(Schedulers.boundedElastic())
                .flatMap(text -> ServerResponse.ok().contentType(PROMETHEUS).bodyValue(text));
    }
}
