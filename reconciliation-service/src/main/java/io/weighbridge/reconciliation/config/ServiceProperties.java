package io.weighbridge.reconciliation.config;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Where the peers are.
 *
 * @param metadata base URL of metadata-service
 * @param lease base URL of lease-service
 */
@ConfigurationProperties("weighbridge.services")
public record ServiceProperties(String metadata, String lease) {}
