package io.weighbridge.ledger.http;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.micrometer.tagged.TaggedCircuitBreakerMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weighbridge.ledger.http.calls.Calls;
import io.weighbridge.ledger.http.health.HealthRoutes;
import io.weighbridge.ledger.http.health.ReadinessCheck;
import io.weighbridge.ledger.http.json.StrictJson;
import io.weighbridge.ledger.http.limit.ConcurrencyFilter;
import io.weighbridge.ledger.http.limit.TimeLimitFilter;
import io.weighbridge.ledger.http.openapi.OpenApiEdge;
import io.weighbridge.ledger.http.problem.ProblemExceptionHandler;
import io.weighbridge.ledger.http.problem.ProblemWriter;
import io.weighbridge.ledger.http.security.PeerCredential;
import io.weighbridge.ledger.http.security.SecurityEdge;
import io.weighbridge.ledger.http.security.SecurityProperties;
import io.weighbridge.ledger.http.trace.TraceFilter;
import io.weighbridge.ledger.http.trace.TraceInLogs;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.autoconfigure.context.ConfigurationPropertiesAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.http.codec.CodecCustomizer;
import org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.prometheus.PrometheusMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.jvm.JvmMetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.system.SystemMetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.reactor.autoconfigure.ReactorAutoConfiguration;
import org.springframework.boot.reactor.netty.autoconfigure.NettyReactiveWebServerAutoConfiguration;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.reactive.context.ReactiveWebServerApplicationContext;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxObservationAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.http.codec.json.JacksonJsonDecoder;
import org.springframework.http.codec.json.JacksonJsonEncoder;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;
import tools.jackson.databind.json.JsonMapper;

/**
 * Everything at a service's edge, by one import and independent of what else is on the class path: several services
 * share one JVM in the suite, so auto-configurations are named and nothing is global but the log format.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(HttpProperties.class)
@ImportAutoConfiguration({
    ConfigurationPropertiesAutoConfiguration.class,
    PropertyPlaceholderAutoConfiguration.class,
    LifecycleAutoConfiguration.class,
    ApplicationAvailabilityAutoConfiguration.class,
    SslAutoConfiguration.class,
    ReactorAutoConfiguration.class,
    NettyReactiveWebServerAutoConfiguration.class,
    HttpHandlerAutoConfiguration.class,
    CodecsAutoConfiguration.class,
    WebFluxAutoConfiguration.class,
    MetricsAutoConfiguration.class,
    PrometheusMetricsExportAutoConfiguration.class,
    CompositeMeterRegistryAutoConfiguration.class,
    JvmMetricsAutoConfiguration.class,
    SystemMetricsAutoConfiguration.class,
    ObservationAutoConfiguration.class,
    WebFluxObservationAutoConfiguration.class
})
@Import({SecurityEdge.class, WebEdge.class, StrictUuids.class, OpenApiEdge.class})
public class HttpEdge {

    /** Commands carry up to three text components of 1024 bytes, percent-encoded, in their query. */
    private static final String LINE_LIMIT = "32KB";

    static {
        TraceInLogs.register();
    }

    /**
     * A service, ready to run.
     *
     * @param service its {@code @SpringBootConfiguration}, which imports this class
     * @param configName its {@code spring.config.name}, such as {@code weighbridge-metadata}
     */
    public static SpringApplicationBuilder application(Class<?> service, String configName) {
        Map<String, Object> defaults = new HashMap<>();
        defaults.put("spring.config.name", configName);
        defaults.put("spring.application.name", configName);
        defaults.put("spring.jmx.enabled", "false");
        defaults.put("spring.cloud.gateway.server.webflux.enabled", "false");
        defaults.put("spring.main.log-startup-info", "false");
        defaults.put("spring.reactor.context-propagation", "auto");
        defaults.put("spring.lifecycle.timeout-per-shutdown-phase", "10s");
        defaults.put("spring.webflux.problemdetails.enabled", "false");
        defaults.put("springdoc.api-docs.enabled", "true");
        defaults.put("springdoc.default-produces-media-type", "application/json");
        defaults.put("logging.level.org.springdoc", "warn");
        defaults.put("logging.level.org.springdoc.core.events.SpringDocAppInitializer", "error");
        defaults.put("logging.level.reactor.netty.http.client.HttpClientConnect", "error");
        defaults.put("server.address", "127.0.0.1");
        defaults.put("server.shutdown", "graceful");
        defaults.put("server.max-http-request-header-size", LINE_LIMIT);
        defaults.put("server.netty.initial-line-length", LINE_LIMIT);
        defaults.put("server.netty.idle-timeout", "75s");
        defaults.put("management.metrics.tags.service", configName);
        defaults.put(
                "logging.pattern.console",
                "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX,UTC} %-5level ${spring.application.name:-} [%X{trace_id:--}]"
                        + " %logger{24}: %msg%n%wEx");
        return new SpringApplicationBuilder(service)
                .web(WebApplicationType.REACTIVE)
                .bannerMode(Banner.Mode.OFF)
                .properties(defaults);
    }

    /** The port on which a running service listens, whatever {@code server.port} asked for. */
    public static int port(ApplicationContext service) {
        WebServer server = ((ReactiveWebServerApplicationContext) service).getWebServer();
        if (server == null) {
            throw new IllegalStateException("the service is not running");
        }
        return server.getPort();
    }

    @Bean
    JsonMapper jsonMapper() {
        return StrictJson.forRequests();
    }

    @Bean
    @Order
    CodecCustomizer wireCodecs(JsonMapper json, HttpProperties properties) {
        return configurer -> {
            configurer
                    .defaultCodecs()
                    .maxInMemorySize(Math.toIntExact(properties.maxBody().toBytes()));
            configurer.defaultCodecs().jacksonJsonDecoder(new JacksonJsonDecoder(json));
            configurer.defaultCodecs().jacksonJsonEncoder(new JacksonJsonEncoder(json));
        };
    }

    /** Own event loops: closing one service of a JVM must not stop the others'. */
    @Bean
    ReactorResourceFactory reactorResourceFactory() {
        ReactorResourceFactory resources = new ReactorResourceFactory();
        resources.setUseGlobalResources(false);
        resources.setLoopResourcesSupplier(() -> LoopResources.create("weighbridge-http"));
        resources.setConnectionProviderSupplier(() -> ConnectionProvider.builder("weighbridge-calls")
                .maxConnections(256)
                .pendingAcquireMaxCount(4096)
                .pendingAcquireTimeout(Duration.ofSeconds(5))
                .maxIdleTime(Duration.ofSeconds(30))
                .build());
        resources.setShutdownQuietPeriod(Duration.ZERO);
        return resources;
    }

    @Bean
    ProblemWriter problemWriter(JsonMapper json) {
        return new ProblemWriter(json);
    }

    @Bean
    ProblemExceptionHandler problemExceptionHandler(ProblemWriter writer) {
        return new ProblemExceptionHandler(writer);
    }

    @Bean
    TraceFilter traceFilter() {
        return new TraceFilter();
    }

    @Bean
    ConcurrencyFilter concurrencyFilter(HttpProperties properties, MeterRegistry metrics) {
        ConcurrencyFilter filter = new ConcurrencyFilter(properties.maxConcurrent());
        metrics.gauge("weighbridge.http.in.progress", filter, ConcurrencyFilter::inProgress);
        return filter;
    }

    @Bean
    TimeLimitFilter timeLimitFilter(HttpProperties properties) {
        return new TimeLimitFilter(properties.requestTimeout());
    }

    @Bean
    RouterFunction<ServerResponse> healthRoutes(
            ObjectProvider<ReadinessCheck> checks,
            PrometheusMeterRegistry metrics,
            ApplicationAvailability availability) {
        return new HealthRoutes(checks.orderedStream().toList(), metrics, availability).routes();
    }

    @Bean
    CircuitBreakerRegistry circuitBreakers(MeterRegistry metrics) {
        CircuitBreakerRegistry breakers = Calls.newBreakers();
        TaggedCircuitBreakerMetrics.ofCircuitBreakerRegistry(breakers).bindTo(metrics);
        return breakers;
    }

    @Bean
    Calls calls(
            ReactorResourceFactory resources,
            PeerCredential credential,
            CircuitBreakerRegistry breakers,
            SecurityProperties security,
            SslBundles bundles) {
        String bundle = security.callsSslBundle();
        return new Calls(
                resources,
                credential,
                breakers,
                StrictJson.forAnswers(),
                bundle == null ? null : bundles.getBundle(bundle));
    }
}
