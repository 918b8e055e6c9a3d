package io.weighbridge.lease.readlease.application;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts read leases, which are in no log (spec 1.9). */
public final class ReadLeaseMetrics {

    private final Counter granted;

    public ReadLeaseMetrics(MeterRegistry registry) {
        this.granted = Counter.builder("weighbridge.read.leases")
                .description("Read leases granted, one for each copy")
                .register(registry);
    }

    void granted(int leases) {
        granted.increment(leases);
    }
}
