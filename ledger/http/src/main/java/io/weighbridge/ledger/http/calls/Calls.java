package io.weighbridge.ledger.http.calls;

import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowSynchronizationStrategy;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.weighbridge.ledger.http.security.PeerCredential;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.http.codec.json.JacksonJsonDecoder;
import org.springframework.http.codec.json.JacksonJsonEncoder;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.support.WebClientAdapter;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import reactor.netty.http.client.HttpClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes clients of other services: own credential, trace, time limits, circuit breaker, repetition of reads, and the
 * peer's refusals as {@link io.weighbridge.ledger.problem.ProblemException}s. An unreachable peer is UNAVAILABLE, a
 * silent one DEADLINE_EXCEEDED.
 */
public final class Calls {

    private static final int MAX_ANSWER_BYTES = 16 << 20;

    private final ReactorResourceFactory resources;
    private final PeerCredential credential;
    private final CircuitBreakerRegistry breakers;
    private final JsonMapper json;
    private final @Nullable SslBundle tls;

    public Calls(
            ReactorResourceFactory resources,
            PeerCredential credential,
            CircuitBreakerRegistry breakers,
            JsonMapper json,
            @Nullable SslBundle tls) {
        this.resources = resources;
        this.credential = credential;
        this.breakers = breakers;
        this.json = json;
        this.tls = tls;
    }

    /** What counts as trouble of a peer: five of the last ten calls open its circuit for two seconds. */
    public static CircuitBreakerRegistry newBreakers() {
        return CircuitBreakerRegistry.of(CircuitBreakerConfig.custom()
                // Outcomes are recorded on event loops, which must not wait for a lock.
                .slidingWindowSynchronizationStrategy(SlidingWindowSynchronizationStrategy.LOCK_FREE)
                .slidingWindowSize(10)
                .minimumNumberOfCalls(10)
                .failureRateThreshold(50)
                .waitDurationInOpenState(Duration.ofSeconds(2))
                .permittedNumberOfCallsInHalfOpenState(3)
                .recordException(ResilienceFilter::isTrouble)
                .build());
    }

    /** A client made from an interface of {@code @HttpExchange} methods. */
    public <T> T client(String peer, String baseUrl, Class<T> contract) {
        return client(peer, baseUrl, contract, CallLimits.standard());
    }

    /**
     * A client made from an interface of {@code @HttpExchange} methods.
     *
     * @param peer names the circuit breaker and stands in problems, such as {@code metadata-service}
     * @param baseUrl without a path
     */
    public <T> T client(String peer, String baseUrl, Class<T> contract, CallLimits limits) {
        WebClientAdapter adapter = WebClientAdapter.create(webClient(peer, baseUrl, limits));
        return HttpServiceProxyFactory.builderFor(adapter)
                .customArgumentResolver(new FenceHeader())
                .build()
                .createClient(contract);
    }

    /** A client for what an interface cannot say: streams, unusual headers. */
    public WebClient webClient(String peer, String baseUrl, CallLimits limits) {
        HttpClient http = HttpClient.create(resources.getConnectionProvider())
                .runOn(resources.getLoopResources())
                .option(
                        ChannelOption.CONNECT_TIMEOUT_MILLIS,
                        Math.toIntExact(limits.connectTimeout().toMillis()))
                .responseTimeout(limits.answerTimeout());
        return WebClient.builder()
                .baseUrl(baseUrl)
                .clientConnector(new ReactorClientHttpConnector(secured(http)))
                .codecs(codecs -> {
                    codecs.defaultCodecs().maxInMemorySize(MAX_ANSWER_BYTES);
                    codecs.defaultCodecs().jacksonJsonDecoder(new JacksonJsonDecoder(json));
                    codecs.defaultCodecs().jacksonJsonEncoder(new JacksonJsonEncoder(json));
                })
                .filter(new OwnHeaders(credential))
                .filter(new ResilienceFilter(peer, breakers.circuitBreaker(peer), limits))
                .build();
    }

    /** For clients made elsewhere: trusts whom this process' calls trust, and shows the same certificate. */
    public HttpClient secured(HttpClient http) {
        if (tls == null) {
            return http;
        }
        try {
            SslContext context = SslContextBuilder.forClient()
                    .keyManager(tls.getManagers().getKeyManagerFactory())
                    .trustManager(tls.getManagers().getTrustManagerFactory())
                    .build();
            return http.secure(spec -> spec.sslContext(context));
        } catch (SSLException e) {
            throw new IllegalStateException("weighbridge.security.calls-ssl-bundle cannot be used", e);
        }
    }
}
