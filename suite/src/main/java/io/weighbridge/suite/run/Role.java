package io.weighbridge.suite.run;

import io.weighbridge.agent.NodeAgent;
import io.weighbridge.gateway.Gateway;
import io.weighbridge.lease.LeaseService;
import io.weighbridge.metadata.MetadataService;
import io.weighbridge.reconciliation.ReconciliationService;
import java.util.function.Supplier;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** What runs in the suite. */
public enum Role {
    METADATA(MetadataService::builder),
    LEASE(LeaseService::builder),
    RECONCILIATION(ReconciliationService::builder),
    NODE(NodeAgent::builder),
    GATEWAY(Gateway::builder);

    private final Supplier<SpringApplicationBuilder> application;

    Role(Supplier<SpringApplicationBuilder> application) {
        this.application = application;
    }

    SpringApplicationBuilder application() {
        return application.get();
    }
}
