package io.weighbridge.agent;

import io.weighbridge.agent.config.AgentConfiguration;
import io.weighbridge.agent.registration.application.NodeLife;
import io.weighbridge.ledger.http.HttpEdge;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/** The node agent. */
@SpringBootConfiguration(proxyBeanMethods = false)
@Import({HttpEdge.class, AgentConfiguration.class})
public class NodeAgent {

    private static final int EXIT_SUPERSEDED = 3;

    /** An agent, ready to run; several may run in one process. */
    public static SpringApplicationBuilder builder() {
        return HttpEdge.application(NodeAgent.class, "weighbridge-agent");
    }

    /** Runs an agent as this process, which ends when a newer start of the same agent has taken over. */
    public static void main(String[] args) {
        ConfigurableApplicationContext agent = builder().run(args);
        var unused = agent.getBean(NodeLife.class)
                .whenSuperseded()
                .thenRunAsync(() -> System.exit(SpringApplication.exit(agent, () -> EXIT_SUPERSEDED)));
    }
}
