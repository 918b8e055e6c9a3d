package io.weighbridge.lease.revisionlease.application;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts lease commands by outcome. Renewals are in no log, so this is where they are seen (spec 1.9). */
public final class LeaseMetrics {

    private final MeterRegistry registry;
    private final Map<Series, Counter> counters = new ConcurrentHashMap<>();

    private record Series(String command, String outcome) {}

    public LeaseMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    void acquired(LeaseAnswer answer) {
        count("acquire", answer);
    }

    void renewed(LeaseAnswer answer) {
        count("renew", answer);
    }

    void returned(LeaseAnswer answer) {
        count("return", answer);
    }

    /** Rows that were removed long after their expiry. */
    void swept(int leases) {
        counter(new Series("sweep", "OK")).increment(leases);
    }

    private void count(String command, LeaseAnswer answer) {
        String outcome = switch (answer) {
            case LeaseAnswer.Acquired acquired -> acquired.reused() ? "REUSED" : "OK";
            case LeaseAnswer.Renewed renewed -> "OK";
            case LeaseAnswer.Returned returned -> "OK";
            case LeaseAnswer.Refused refused -> refused.problem().code().name();
        };
        counter(new Series(command, outcome)).increment();
    }

    private Counter counter(Series series) {
        return counters.computeIfAbsent(
                series,
                s -> Counter.builder("weighbridge.leases")
                        .description("Revision lease commands by outcome")
                        .tag("command", s.command())
                        .tag("outcome", s.outcome())
                        .register(registry));
    }
}
