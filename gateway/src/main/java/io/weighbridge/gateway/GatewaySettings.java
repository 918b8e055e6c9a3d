package io.weighbridge.gateway;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * @param expectedNodes ready only when so many agents have mounted all their segments
 * @param contentLimit larger contents are refused: clients fetch them from the agent itself
 * @param answerTimeout until a service has begun to answer
 * @param longAnswerTimeout the same for long polls, feeds and contents
 */
@ConfigurationProperties("weighbridge.gateway")
record GatewaySettings(
        @DefaultValue("0") int expectedNodes,
        @DefaultValue("16MB") DataSize contentLimit,
        @DefaultValue("15s") Duration answerTimeout,
        @DefaultValue("75s") Duration longAnswerTimeout) {}
