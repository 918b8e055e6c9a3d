package io.weighbridge.suite.run;

import io.weighbridge.agent.NodeAgent;
import io.weighbridge.gateway.Gateway;
import io.weighbridge.lease.LeaseService;
import io.weighbridge.metadata.MetadataService;
import io.weighbridge.reconciliation.ReconciliationService;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** What runs in the suite. */
public enum Role {
    METADATA,
    LEASE,
    RECONCILIATION,
    NODE,
    GATEWAY;

    SpringApplicationBuilder application() {
        return switch (this) {
            case METADATA -> MetadataService.builder();
            case LEASE -> LeaseService.builder();
            case RECONCILIATION -> ReconciliationService.builder();
            case NODE -> NodeAgent.builder();
            case GATEWAY -> Gateway.builder();
        };
    }
}
