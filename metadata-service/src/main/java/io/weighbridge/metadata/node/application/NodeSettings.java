package io.weighbridge.metadata.node.application;

import io.weighbridge.metadata.node.domain.Liveness;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How nodes are watched.
 *
 * @param heartbeatInterval what agents are told
 * @param suspectAfter no heartbeat for so long: no new copies
 * @param deadAfter no heartbeat for so long: its copies are not readable
 * @param deadShareMax more than this share of the nodes never dies at once
 */
@ConfigurationProperties("weighbridge.nodes")
public record NodeSettings(
        @DefaultValue("1s") Duration heartbeatInterval,
        @DefaultValue("5s") Duration suspectAfter,
        @DefaultValue("15s") Duration deadAfter,
        @DefaultValue("0.2") double deadShareMax) {

    Liveness liveness() {
        return new Liveness(suspectAfter, deadAfter, deadShareMax);
    }

    /** How often the nodes are looked at: often enough that no state is late by much. */
    public Duration watchInterval() {
        Duration quarter = suspectAfter.dividedBy(8);
        Duration least = Duration.ofMillis(50);
        return quarter.compareTo(least) > 0 ? quarter : least;
    }
}
