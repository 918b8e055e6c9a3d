package io.weighbridge.gateway;

import io.weighbridge.ledger.http.HttpEdge;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cloud.gateway.config.GatewayAutoConfiguration;
import org.springframework.context.annotation.Import;

/** The gateway: it keeps no state and knows only where the services are. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableConfigurationProperties({GatewaySettings.class, ServiceAddresses.class})
@ImportAutoConfiguration(GatewayAutoConfiguration.class)
@Import({HttpEdge.class, Routes.class, Outbound.class, Readiness.class, Pages.class})
public class Gateway {

    /** A gateway, ready to run. */
    public static SpringApplicationBuilder builder() {
        return HttpEdge.application(Gateway.class, "weighbridge-gateway")
                .properties(
                        "spring.cloud.gateway.server.webflux.enabled=true",
                        // It answers with the merged document instead of one of its own.
                        "weighbridge.openapi.enabled=false",
                        "spring.web.resources.add-mappings=false",
                        "logging.level.org.springframework.cloud.gateway=warn");
    }

    /** Runs until it is stopped. */
    public static void main(String[] args) {
        builder().run(args);
    }
}
