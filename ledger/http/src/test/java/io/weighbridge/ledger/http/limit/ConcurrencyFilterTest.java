package io.weighbridge.ledger.http.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.problem.ProblemException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

/** Who is shed when there is too much to do. */
class ConcurrencyFilterTest {

    private final ConcurrencyFilter filter = new ConcurrencyFilter(2);
    private final Sinks.Empty<Void> work = Sinks.empty();

    @Test
    void ordinaryRequestsAreShedFirstLeasesLastProbesNever() {
        List<Disposable> running = new ArrayList<>();
        running.add(request("/v1/revisions").subscribe());
        running.add(request("/v1/revisions").subscribe());
        StepVerifier.create(request("/v1/revisions")).verifyError(ProblemException.class);
        running.add(request("/v1/leases/abc/renew").subscribe());
        running.add(request("/v1/nodes/abc/heartbeat").subscribe());
        StepVerifier.create(request("/v1/leases/abc/renew")).verifyError(ProblemException.class);
        running.add(request("/healthz").subscribe());
        assertThat(filter.inProgress()).isEqualTo(4);
        running.getFirst().dispose();
        assertThat(filter.inProgress()).isEqualTo(3);
        work.tryEmitEmpty();
        assertThat(filter.inProgress()).isZero();
    }

    @Test
    void anAnswerThatHasBegunCountsNoMore() {
        Disposable streaming = filter.filter(
                        MockServerWebExchange.from(MockServerHttpRequest.get("/v1/feed")),
                        exchange -> exchange.getResponse().setComplete().then(work.asMono()))
                .subscribe();
        assertThat(streaming.isDisposed()).isFalse();
        assertThat(filter.inProgress()).isZero();
    }

    private Mono<Void> request(String path) {
        return filter.filter(MockServerWebExchange.from(MockServerHttpRequest.get(path)), exchange -> work.asMono());
    }
}
