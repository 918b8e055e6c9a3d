package io.weighbridge.agent.registration.http;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.weighbridge.agent.registration.application.NodeLife;
import io.weighbridge.agent.registration.application.ReportQueue;
import io.weighbridge.agent.tier.Segments;
import io.weighbridge.ledger.http.health.ReadinessCheck;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import reactor.core.publisher.Mono;

/** The agent's own description, readiness and metrics. */
@Configuration(proxyBeanMethods = false)
@Import(NodeController.class)
public class NodeEndpoints {

    /** Ready when every segment is mounted. */
    @Bean
    ReadinessCheck segmentsMounted(NodeLife life) {
        return new ReadinessCheck() {
            @Override
            public String name() {
                return "segments";
            }

            @Override
            public Mono<Result> check() {
                return Mono.fromSupplier(
                        () -> life.isReady() ? Result.up() : Result.down("not all segments are mounted"));
            }
        };
    }

    @Bean
    MeterBinder segmentMetrics(Segments segments, ReportQueue reports, NodeLife life) {
        return registry -> {
            segments.all().forEach(segment -> {
                String tier = segment.identity().tier().name();
                gauge(
                        registry,
                        "weighbridge.segment.capacity.bytes",
                        tier,
                        () -> segment.identity().capacity());
                gauge(registry, "weighbridge.segment.used.bytes", tier, segment::usedBytes);
                gauge(registry, "weighbridge.segment.extents", tier, segment::extentCount);
            });
            Gauge.builder("weighbridge.reports.waiting", reports, ReportQueue::length)
                    .register(registry);
            Gauge.builder("weighbridge.ledger.reachable", life, l -> l.isLedgerReachable() ? 1 : 0)
                    .register(registry);
        };
    }

    private static void gauge(
            MeterRegistry registry, String name, String tier, java.util.function.Supplier<Number> value) {
        Gauge.builder(name, value).tag("tier", tier).register(registry);
    }
}
