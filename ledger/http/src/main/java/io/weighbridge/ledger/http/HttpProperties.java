package io.weighbridge.ledger.http;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Limits of every endpoint.
 *
 * @param maxBody the largest body that is held in memory; streamed contents are not
 * @param requestTimeout the longest answer of an endpoint that is not
 *     {@link io.weighbridge.ledger.http.limit.LongRunning}
 * @param maxConcurrent requests in progress before others are refused
 */
@ConfigurationProperties("weighbridge.http")
public record HttpProperties(
        @DefaultValue("1MB") DataSize maxBody,
        @DefaultValue("15s") Duration requestTimeout,
        @DefaultValue("2048") int maxConcurrent) {}
