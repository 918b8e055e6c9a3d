package io.weighbridge.gateway;

import io.weighbridge.ledger.http.calls.CallLimits;
import io.weighbridge.ledger.http.calls.Calls;
import io.weighbridge.ledger.http.health.ReadinessCheck;
import io.weighbridge.ledger.vocabulary.NodeState;
import io.weighbridge.ledger.vocabulary.SegmentState;
import io.weighbridge.wire.NodeView;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** Ready is who can serve: every service is ready, and the expected agents have mounted all their segments. */
@Configuration(proxyBeanMethods = false)
class Readiness {

    private static final Duration PATIENCE = Duration.ofMillis(1500);
    private static final Set<SegmentState> MOUNTED = EnumSet.of(SegmentState.MOUNTED, SegmentState.DRAINING);

    @Bean
    ReadinessCheck metadataReady(Calls calls, ServiceAddresses services) {
        return service(calls, "metadata-service", services.metadata());
    }

    @Bean
    ReadinessCheck leaseReady(Calls calls, ServiceAddresses services) {
        return service(calls, "lease-service", services.lease());
    }

    @Bean
    ReadinessCheck reconciliationReady(Calls calls, ServiceAddresses services) {
        return service(calls, "reconciliation-service", services.reconciliation());
    }

    @Bean
    ReadinessCheck agentsReady(AgentDirectory agents, GatewaySettings settings) {
        return check(
                "node-agents",
                () -> agents.nodes().map(nodes -> {
                    long ready = nodes.stream().filter(Readiness::isMounted).count();
                    return ready >= settings.expectedNodes()
                            ? ReadinessCheck.Result.up()
                            : ReadinessCheck.Result.down(
                                    ready + " of " + settings.expectedNodes() + " agents are ready");
                }));
    }

    private static boolean isMounted(NodeView node) {
        return node.state() == NodeState.LIVE
                && !node.segments().isEmpty()
                && node.segments().stream().allMatch(segment -> MOUNTED.contains(segment.state()));
    }

    private static ReadinessCheck service(Calls calls, String name, URI uri) {
        var client = calls.webClient(
                name + "-readiness",
                uri.toString(),
                CallLimits.standard().withAnswerTimeout(PATIENCE).once());
        return check(
                name,
                () -> client.get()
                        .uri("/readyz")
                        .retrieve()
                        .toBodilessEntity()
                        .thenReturn(ReadinessCheck.Result.up())
                        .onErrorResume(
                                error -> Mono.just(ReadinessCheck.Result.down(String.valueOf(error.getMessage())))));
    }

    private static ReadinessCheck check(String name, Supplier<Mono<ReadinessCheck.Result>> ask) {
        return new ReadinessCheck() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Mono<Result> check() {
                return ask.get();
            }
        };
    }
}
