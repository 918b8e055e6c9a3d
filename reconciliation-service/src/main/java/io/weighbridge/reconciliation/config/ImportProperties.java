package io.weighbridge.reconciliation.config;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** @param abandonAfter the age of an import's heartbeat at which it is aborted */
@ConfigurationProperties("weighbridge.imports")
public record ImportProperties(@DefaultValue("15m") Duration abandonAfter) {}
