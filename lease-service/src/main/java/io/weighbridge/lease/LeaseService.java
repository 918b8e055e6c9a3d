package io.weighbridge.lease;

import io.weighbridge.lease.config.LeaseConfiguration;
import io.weighbridge.lease.nodekey.http.NodeKeyController;
import io.weighbridge.lease.page.PageController;
import io.weighbridge.lease.readlease.http.LocateController;
import io.weighbridge.lease.revisionlease.http.LeaseBatchController;
import io.weighbridge.lease.revisionlease.http.LeaseController;
import io.weighbridge.ledger.http.HttpEdge;
import io.weighbridge.ledger.http.health.ReadinessCheck;
import io.weighbridge.ledger.store.LedgerStore;
import io.weighbridge.ledger.store.migrate.LedgerReadiness;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The process of lease-service. */
@SpringBootConfiguration(proxyBeanMethods = false)
@Import({
    HttpEdge.class,
    LedgerStore.class,
    LeaseConfiguration.class,
    LeaseController.class,
    LeaseBatchController.class,
    LocateController.class,
    PageController.class,
    NodeKeyController.class
})
public class LeaseService {

    /** A service, ready to run with the properties of {@code weighbridge-lease.yml}. */
    public static SpringApplicationBuilder builder() {
        return HttpEdge.application(LeaseService.class, "weighbridge-lease");
    }

    public static void main(String[] args) {
        builder().run(args);
    }

    @Bean
    ReadinessCheck ledgerReady(LedgerReadiness ledger) {
        return ReadinessCheck.of("ledger", ledger::obstacle);
    }
}
