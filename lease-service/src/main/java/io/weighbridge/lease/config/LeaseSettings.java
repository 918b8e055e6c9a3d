package io.weighbridge.lease.config;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of lease-service.
 *
 * @param readLeaseTtlMax the longest life of a read lease; where a caller asks for none in particular it is 10 s, or
 *     this if shorter; metadata-service waits as long before it reclaims a copy, so both must be told the same
 * @param sweepInterval how often leases that expired more than 24 hours ago are removed
 * @param keyRotation how old a node's newest key becomes before it gets a newer one
 * @param keyRotationCheck how often the age of keys is looked at
 * @param keyActivation how long a newer key is only known before it signs, so that its node has fetched it by then
 */
@ConfigurationProperties("weighbridge.leases")
public record LeaseSettings(
        @DefaultValue("10s") Duration readLeaseTtlMax,
        @DefaultValue("10m") Duration sweepInterval,
        @DefaultValue("24h") Duration keyRotation,
        @DefaultValue("15m") Duration keyRotationCheck,
        @DefaultValue("1m") Duration keyActivation) {

    public LeaseSettings {
        if (readLeaseTtlMax.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("weighbridge.leases.read-lease-ttl-max must be at least 1ms");
        }
    }
}
