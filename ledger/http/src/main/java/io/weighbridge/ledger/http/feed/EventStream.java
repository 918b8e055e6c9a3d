package io.weighbridge.ledger.http.feed;

import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.http.server.reactive.ServerHttpRequest;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Feeds as {@code text/event-stream} (spec 5.1): each event with its id, a comment where nothing happens. */
public final class EventStream {

    /** Proxies and browsers give up on silence. */
    static final Duration HEARTBEAT = Duration.ofSeconds(15);

    private static final String LAST_EVENT_ID = "Last-Event-ID";

    private EventStream() {}

    /**
     * The events of a feed. Ends when the feed ends. A slow reader slows the feed, never piles it up.
     *
     * @param id where a reader resumes after this entry
     */
    public static <T> Flux<ServerSentEvent<T>> of(Flux<T> entries, Function<T, String> id) {
        return of(entries, id, HEARTBEAT);
    }

    static <T> Flux<ServerSentEvent<T>> of(Flux<T> entries, Function<T, String> id, Duration heartbeat) {
        Flux<ServerSentEvent<T>> events = entries.map(
                entry -> ServerSentEvent.<T>builder(entry).id(id.apply(entry)).build());
        return events.publish(shared -> Flux.merge(
                shared,
                Flux.interval(heartbeat)
                        .onBackpressureDrop()
                        .map(tick -> ServerSentEvent.<T>builder()
                                .comment("heartbeat")
                                .build())
                        .takeUntilOther(shared.ignoreElements().onErrorResume(e -> Mono.empty()))));
    }

    /**
     * Where a reader wants to resume: {@code Last-Event-ID}, which browsers send by themselves.
     *
     * @throws ProblemException INVALID_ARGUMENT when given twice
     */
    public static Optional<String> lastEventId(ServerHttpRequest request) {
        List<String> values = request.getHeaders().getOrEmpty(LAST_EVENT_ID);
        if (values.size() > 1) {
            throw new ProblemException(Problem.invalid(LAST_EVENT_ID, "must be given once"));
        }
        return values.stream().findFirst().filter(value -> !value.isEmpty());
    }
}
