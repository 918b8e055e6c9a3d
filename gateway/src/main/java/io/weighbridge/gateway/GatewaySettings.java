package io.weighbridge.gateway;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The gateway's own settings.
 *
 * @param expectedNodes ready only when so many agents have mounted all their segments
 * @param contentLimit larger contents are refused: clients exchange them with the agent itself
 * @param connectTimeout until a peer takes a connection
 * @param answerTimeout until a service has begun to answer
 * @param longAnswerTimeout the same for long polls, feeds and contents; also the longest silence within an answer
 * @param maxConnections to each peer
 * @param requestsPerSecond of one caller before others of it are refused; 0 for no limit. What keeps leases, nodes and
 *     update cycles alive is never refused
 */
@ConfigurationProperties("weighbridge.gateway")
record GatewaySettings(
        @DefaultValue("0") int expectedNodes,
        @DefaultValue("16MB") DataSize contentLimit,
        @DefaultValue("2s") Duration connectTimeout,
        @DefaultValue("15s") Duration answerTimeout,
        @DefaultValue("75s") Duration longAnswerTimeout,
        @DefaultValue("1024") int maxConnections,
        @DefaultValue("0") int requestsPerSecond) {}
