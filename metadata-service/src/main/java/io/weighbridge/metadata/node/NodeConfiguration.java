package io.weighbridge.metadata.node;

import io.micrometer.core.instrument.MeterRegistry;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.metadata.node.application.HeartbeatHandler;
import io.weighbridge.metadata.node.application.NodeHandler;
import io.weighbridge.metadata.node.application.NodeSettings;
import io.weighbridge.metadata.node.application.NodeWatch;
import io.weighbridge.metadata.node.http.AgentController;
import io.weighbridge.metadata.node.http.NodeController;
import io.weighbridge.metadata.object.application.ObjectSweeps;
import io.weighbridge.metadata.object.application.Recurring;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import tools.jackson.databind.json.JsonMapper;

/** What the subject {@code node} is made of. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(NodeSettings.class)
@Import({NodeController.class, AgentController.class})
public class NodeConfiguration {

    @Bean
    NodeHandler nodeHandler(Ledger ledger, JsonMapper json, ObjectSweeps sweeps) {
        return new NodeHandler(ledger, json, sweeps::epochMoved);
    }

    @Bean
    HeartbeatHandler heartbeatHandler(Ledger ledger, JsonMapper json) {
        return new HeartbeatHandler(ledger, json);
    }

    @Bean
    NodeWatch nodeWatch(Ledger ledger, NodeSettings settings, JsonMapper json, MeterRegistry metrics) {
        return new NodeWatch(ledger, settings, json, metrics);
    }

    @Bean
    Recurring watchingNodes(NodeWatch watch, NodeSettings settings) {
        return new Recurring("the watch over nodes", settings.watchInterval(), watch::look);
    }
}
