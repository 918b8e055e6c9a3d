package io.weighbridge.agent.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * {@code weighbridge.agent.*}.
 *
 * @param stateDir where the node's id is kept; absent: in the disk directory, or nowhere
 * @param memoryBytes capacity of the memory tier, 0 for none
 * @param diskDir directory of the local disk tier; absent for none
 * @param diskBytes capacity of the local disk tier
 * @param advertisedUrl where others reach this agent; absent: the address it listens on
 * @param labels for placement, such as rack and zone
 * @param maxBytesInFlight memory for bytes on their way from disks and peers
 * @param threads that may wait for disks and compute digests
 * @param uploadPatience how long an upload may send nothing
 * @param transfersAtOnce pulls that run at the same time
 * @param transfersQueued pulls that wait
 * @param transferStreams connections of one pull
 */
@ConfigurationProperties("weighbridge.agent")
public record AgentSettings(
        @Nullable Path stateDir,
        @DefaultValue("1GB") DataSize memoryBytes,
        @Nullable Path diskDir,
        @DefaultValue("10GB") DataSize diskBytes,
        @Nullable String advertisedUrl,
        @DefaultValue Map<String, String> labels,
        @DefaultValue("256MB") DataSize maxBytesInFlight,
        @DefaultValue("32") int threads,
        @DefaultValue("30s") Duration uploadPatience,
        @DefaultValue("4") int transfersAtOnce,
        @DefaultValue("10000") int transfersQueued,
        @DefaultValue("4") int transferStreams) {}
