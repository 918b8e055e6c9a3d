package io.weighbridge.reconciliation.revision.application;

import io.weighbridge.reconciliation.revision.calls.Agents;
import io.weighbridge.reconciliation.revision.calls.LeaseCalls;
import io.weighbridge.reconciliation.revision.calls.MetadataCalls;
import io.weighbridge.reconciliation.revision.calls.Situations;
import io.weighbridge.reconciliation.revision.domain.Limits;
import io.weighbridge.reconciliation.revision.domain.Planner;
import io.weighbridge.reconciliation.work.application.Look;
import java.time.Clock;

/** Puts a look together. */
public final class Looks {

    private Looks() {}

    /** @param clock only for how long nodes rest after failures */
    public static Look of(
            Situations situations,
            MetadataCalls metadata,
            LeaseCalls leases,
            Agents agents,
            Limits limits,
            Clock clock) {
        Setbacks setbacks = new Setbacks(clock);
        Sights sights = new Sights(situations, new FlightControl(agents, setbacks), setbacks);
        Acting acting = new Acting(metadata, new Copier(metadata, leases, agents, setbacks));
        return new RevisionLook(sights, new Planner(limits), acting);
    }
}
