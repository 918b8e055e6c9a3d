package io.weighbridge.gateway;

import java.net.URI;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** The services' base URLs. */
@ConfigurationProperties("weighbridge.services")
record ServiceAddresses(URI metadata, URI lease, URI reconciliation) {}
