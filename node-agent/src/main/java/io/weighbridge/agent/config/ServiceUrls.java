package io.weighbridge.agent.config;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** {@code weighbridge.services.*}: base URLs. The gateway stands in for a service that has none. */
@ConfigurationProperties("weighbridge.services")
public record ServiceUrls(
        @Nullable String metadata,
        @Nullable String lease,
        @Nullable String gateway) {

    String metadataUrl() {
        return orGateway("metadata", metadata);
    }

    String leaseUrl() {
        return orGateway("lease", lease);
    }

    private String orGateway(String name, @Nullable String url) {
        String chosen = url == null ? gateway : url;
        if (chosen == null) {
            throw new IllegalStateException(
                    "weighbridge.services." + name + " or weighbridge.services.gateway is needed");
        }
        return chosen.endsWith("/") ? chosen.substring(0, chosen.length() - 1) : chosen;
    }
}
