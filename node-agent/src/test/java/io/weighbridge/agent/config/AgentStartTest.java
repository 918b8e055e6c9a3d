package io.weighbridge.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** What an agent tells others of itself when nobody says what it is to tell. */
class AgentStartTest {

    private static Environment with(Map<String, Object> properties) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
        return environment;
    }

    @Test
    void advertisesHttpsExactlyWhenItsServerSpeaksTls() {
        assertThat(AgentStart.scheme(with(Map.of()))).isEqualTo("http");
        assertThat(AgentStart.scheme(with(Map.of("server.ssl.bundle", "server"))))
                .isEqualTo("https");
        assertThat(AgentStart.scheme(with(Map.of("server.ssl.enabled", "true"))))
                .isEqualTo("https");
        assertThat(AgentStart.scheme(with(Map.of("server.ssl.enabled", "false", "server.ssl.bundle", "server"))))
                .isEqualTo("http");
    }
}
