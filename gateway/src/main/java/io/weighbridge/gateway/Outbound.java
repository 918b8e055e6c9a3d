package io.weighbridge.gateway;

import io.netty.channel.ChannelOption;
import java.time.Duration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.headers.HttpHeadersFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** The gateway's connections to its peers: its own pool on this service's event loops, gone when it is closed. */
@Configuration(proxyBeanMethods = false)
class Outbound {

    private static final int PENDING_PER_CONNECTION = 4;
    private static final int HEADER_LIMIT = 32 << 10;

    /** Shorter than the peers keep a silent connection, so that none is reused while it is being closed. */
    private static final Duration MAX_IDLE = Duration.ofSeconds(30);

    @Bean(destroyMethod = "dispose")
    ConnectionProvider gatewayConnections(GatewaySettings settings) {
        return ConnectionProvider.builder("weighbridge-gateway")
                .maxConnections(settings.maxConnections())
                .pendingAcquireMaxCount(PENDING_PER_CONNECTION * settings.maxConnections())
                .pendingAcquireTimeout(settings.connectTimeout())
                .maxIdleTime(MAX_IDLE)
                .evictInBackground(MAX_IDLE)
                .build();
    }

    @Bean
    HttpClient gatewayHttpClient(
            ConnectionProvider gatewayConnections, ReactorResourceFactory resources, GatewaySettings settings) {
        return HttpClient.create(gatewayConnections)
                .runOn(resources.getLoopResources())
                .option(
                        ChannelOption.CONNECT_TIMEOUT_MILLIS,
                        Math.toIntExact(settings.connectTimeout().toMillis()))
                .httpResponseDecoder(spec -> spec.maxHeaderSize(HEADER_LIMIT));
    }

    @Bean
    HttpHeadersFilter traceHeader() {
        return PassedHeaders.trace();
    }

    @Bean
    HttpHeadersFilter locationHeader() {
        return PassedHeaders.location();
    }

    @Bean
    @ConditionalOnExpression("${weighbridge.gateway.requests-per-second:0} > 0")
    GlobalFilter callerLimit(GatewaySettings settings) {
        return new CallerLimit(settings.requestsPerSecond());
    }
}
