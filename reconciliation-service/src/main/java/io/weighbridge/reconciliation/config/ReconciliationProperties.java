package io.weighbridge.reconciliation.config;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * How reconciliation runs (spec 1.8).
 *
 * @param poll how often to ask for due work
 * @param sweep how often to look at every revision
 * @param hold how long a claim lasts without being renewed: after this long a dead instance's work is another's
 * @param concurrency revisions looked at at a time by one instance
 * @param copiesInFlight copies of one revision being made at a time
 * @param bytesInFlightPerNode bytes of one revision on their way to one node at a time
 * @param lookAgainMoving when to look again while copies are being made
 * @param lookAgainStuck when to look again while something is wanted that cannot be had, or leases live
 * @param backoffFirst the pause after a first failure
 * @param backoffLimit the longest pause after failures
 */
@ConfigurationProperties("weighbridge.reconciliation")
public record ReconciliationProperties(
        @DefaultValue("250ms") Duration poll,
        @DefaultValue("60s") Duration sweep,
        @DefaultValue("30s") Duration hold,
        @DefaultValue("32") int concurrency,
        @DefaultValue("256") int copiesInFlight,
        @DefaultValue("2GB") DataSize bytesInFlightPerNode,
        @DefaultValue("1s") Duration lookAgainMoving,
        @DefaultValue("5s") Duration lookAgainStuck,
        @DefaultValue("250ms") Duration backoffFirst,
        @DefaultValue("60s") Duration backoffLimit) {}
