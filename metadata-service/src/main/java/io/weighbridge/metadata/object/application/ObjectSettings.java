package io.weighbridge.metadata.object.application;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How puts behave.
 *
 * @param preemptAfter a pending put of this age gives way to another (spec 2.2)
 * @param tokenBase the life of the write token of an empty object
 * @param slowestBytesPerSecond of a writer: the token lives longer by size divided by this
 * @param tokenMost no write token lives longer
 * @param softPin how long a soft pin holds
 * @param sweepInterval how often expired puts and reclaimable copies are looked for
 * @param highWatermark the share of a segment above which unmanaged objects are evicted
 * @param lowWatermark the share to which eviction goes
 */
@ConfigurationProperties("weighbridge.puts")
public record ObjectSettings(
        @DefaultValue("30s") Duration preemptAfter,
        @DefaultValue("2m") Duration tokenBase,
        @DefaultValue("8388608") long slowestBytesPerSecond,
        @DefaultValue("1h") Duration tokenMost,
        @DefaultValue("30m") Duration softPin,
        @DefaultValue("250ms") Duration sweepInterval,
        @DefaultValue("0.90") double highWatermark,
        @DefaultValue("0.80") double lowWatermark) {

    /**
     * How long a writer has for this many bytes: a slow link must not lose a large object, a crash not hold it long.
     */
    public Duration tokenLife(long size) {
        Duration life = tokenBase.plusSeconds(size / slowestBytesPerSecond);
        return life.compareTo(tokenMost) < 0 ? life : tokenMost;
    }
}
