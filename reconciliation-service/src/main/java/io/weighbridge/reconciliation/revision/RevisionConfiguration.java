package io.weighbridge.reconciliation.revision;

import io.micrometer.core.instrument.MeterRegistry;
import io.weighbridge.ledger.http.calls.Calls;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.reconciliation.config.ImportProperties;
import io.weighbridge.reconciliation.config.ReconciliationProperties;
import io.weighbridge.reconciliation.config.ServiceProperties;
import io.weighbridge.reconciliation.revision.application.Figures;
import io.weighbridge.reconciliation.revision.application.Looks;
import io.weighbridge.reconciliation.revision.application.MetadataInventory;
import io.weighbridge.reconciliation.revision.calls.Agents;
import io.weighbridge.reconciliation.revision.calls.LeaseCalls;
import io.weighbridge.reconciliation.revision.calls.MetadataCalls;
import io.weighbridge.reconciliation.revision.calls.Situations;
import io.weighbridge.reconciliation.revision.domain.Limits;
import io.weighbridge.reconciliation.revision.http.ReconcilerController;
import io.weighbridge.reconciliation.revision.postgres.LedgerFigures;
import io.weighbridge.reconciliation.work.application.Inventory;
import io.weighbridge.reconciliation.work.application.Look;
import io.weighbridge.reconciliation.work.application.WorkLoop;
import io.weighbridge.reconciliation.work.postgres.WorkProjection;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What the subject {@code revision} is made of. */
@Configuration(proxyBeanMethods = false)
@Import(ReconcilerController.class)
public class RevisionConfiguration {

    private static final int RETIRES_PER_PASS = 512;

    @Bean
    MetadataCalls metadataCalls(Calls calls, ServiceProperties services) {
        return calls.client("metadata-service", services.metadata(), MetadataCalls.class);
    }

    @Bean
    LeaseCalls leaseCalls(Calls calls, ServiceProperties services) {
        return calls.client("lease-service", services.lease(), LeaseCalls.class);
    }

    @Bean
    Agents agents(Calls calls) {
        return new Agents(calls);
    }

    @Bean
    Situations situations(Calls calls, ServiceProperties services) {
        return new Situations(calls, services.metadata());
    }

    @Bean
    Limits limits(ReconciliationProperties properties, ImportProperties imports) {
        return new Limits(
                properties.copiesInFlight(),
                properties.bytesInFlightPerNode().toBytes(),
                RETIRES_PER_PASS,
                imports.abandonAfter(),
                properties.lookAgainMoving(),
                properties.lookAgainStuck());
    }

    @Bean
    Look look(Situations situations, MetadataCalls metadata, LeaseCalls leases, Agents agents, Limits limits) {
        return Looks.of(situations, metadata, leases, agents, limits, Clock.systemUTC());
    }

    @Bean
    Inventory inventory(MetadataCalls metadata) {
        return new MetadataInventory(metadata);
    }

    @Bean
    Figures figures(Ledger ledger, WorkProjection work, WorkLoop loop, MeterRegistry metrics) {
        return new Figures(new LedgerFigures(ledger), work, loop, metrics);
    }
}
