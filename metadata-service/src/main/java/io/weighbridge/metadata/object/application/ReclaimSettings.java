package io.weighbridge.metadata.object.application;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long the bytes of a retired copy stay (spec 2.3); the same values as lease-service's.
 *
 * @param readLeaseTtlMax the longest life of a read lease
 * @param reclaimMargin on top of it
 */
@ConfigurationProperties("weighbridge.leases")
public record ReclaimSettings(
        @DefaultValue("10s") Duration readLeaseTtlMax,
        @DefaultValue("2s") Duration reclaimMargin) {

    /** From a time after the retirement's commit. */
    public Duration grace() {
        return readLeaseTtlMax.plus(reclaimMargin);
    }
}
