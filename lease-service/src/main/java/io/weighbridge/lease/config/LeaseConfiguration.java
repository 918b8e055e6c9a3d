package io.weighbridge.lease.config;

import io.micrometer.core.instrument.MeterRegistry;
import io.weighbridge.lease.nodekey.application.NodeKeys;
import io.weighbridge.lease.nodekey.application.SigningKeys;
import io.weighbridge.lease.nodekey.postgres.NodeKeyRows;
import io.weighbridge.lease.readlease.application.Locator;
import io.weighbridge.lease.readlease.application.ReadLeaseMetrics;
import io.weighbridge.lease.readlease.domain.ReadLeaseTtl;
import io.weighbridge.lease.readlease.postgres.ReadableCopies;
import io.weighbridge.lease.revisionlease.application.LeaseMetrics;
import io.weighbridge.lease.revisionlease.application.LeaseSweep;
import io.weighbridge.lease.revisionlease.application.RevisionLeases;
import io.weighbridge.lease.revisionlease.postgres.LeaseEntries;
import io.weighbridge.lease.revisionlease.postgres.LeaseProjection;
import io.weighbridge.lease.revisionlease.postgres.LeaseRows;
import io.weighbridge.lease.revisionlease.postgres.RevisionRows;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.Writer;
import java.time.InstantSource;
import java.util.List;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Puts the service's rooms together. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(LeaseSettings.class)
public class LeaseConfiguration {

    @Bean
    Writer writer() {
        return Writer.LEASE;
    }

    @Bean
    LeaseMetrics leaseMetrics(MeterRegistry registry) {
        return new LeaseMetrics(registry);
    }

    @Bean
    LeaseRows leaseRows(Ledger ledger) {
        return new LeaseRows(ledger);
    }

    @Bean
    LeaseProjection leaseProjection(JsonMapper json) {
        return new LeaseProjection(new LeaseEntries(json));
    }

    @Bean
    RevisionLeases revisionLeases(
            Ledger ledger, LeaseRows rows, LeaseProjection projection, LeaseMetrics metrics, JsonMapper json) {
        return new RevisionLeases(ledger, new RevisionRows(json), rows, projection, metrics);
    }

    @Bean
    LeaseSweep leaseSweep(Ledger ledger, LeaseRows rows, LeaseProjection projection, LeaseMetrics metrics) {
        return new LeaseSweep(ledger, rows, projection, metrics);
    }

    @Bean
    NodeKeyRows nodeKeyRows(Ledger ledger) {
        return new NodeKeyRows(ledger);
    }

    @Bean
    NodeKeys nodeKeys(Ledger ledger, NodeKeyRows rows, LeaseSettings settings) {
        return new NodeKeys(ledger, rows, settings.keyRotation());
    }

    @Bean
    SigningKeys signingKeys(NodeKeyRows rows, LeaseSettings settings) {
        return new SigningKeys(rows, settings.keyActivation(), InstantSource.system());
    }

    @Bean
    Locator locator(Ledger ledger, SigningKeys keys, LeaseSettings settings, MeterRegistry registry) {
        return new Locator(
                new ReadableCopies(ledger),
                keys,
                new ReadLeaseTtl(settings.readLeaseTtlMax()),
                new ReadLeaseMetrics(registry));
    }

    @Bean
    Housekeeping housekeeping(LeaseSweep sweep, NodeKeys keys, LeaseSettings settings) {
        return new Housekeeping(List.of(
                new Housekeeping.Task("leases swept", settings.sweepInterval(), sweep::sweep),
                new Housekeeping.Task("node keys rotated", settings.keyRotationCheck(), keys::rotate)));
    }
}
