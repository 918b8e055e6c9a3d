package io.weighbridge.reconciliation.revision.domain;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All that a plan is made from, of one moment.
 *
 * @param operation the active one
 * @param liveLeases revision leases that have not expired
 * @param heartbeatAge since the importer's last sign of life; only while IMPORTING
 * @param members in the order of their keys
 * @param hosts every known node, by id
 * @param shunned nodes to which copies have failed lately: no new copies there for now
 */
public record RevisionSituation(
        RevisionRow row,
        @Nullable ActiveOperation operation,
        long liveLeases,
        @Nullable Duration heartbeatAge,
        List<Member> members,
        Map<UUID, Host> hosts,
        Set<UUID> shunned) {

    public RevisionSituation {
        members = List.copyOf(members);
        hosts = Map.copyOf(hosts);
        shunned = Set.copyOf(shunned);
    }

    /** Hosts by their id. */
    public static Map<UUID, Host> byId(List<Host> hosts) {
        return hosts.stream().collect(Collectors.toMap(Host::nodeId, Function.identity()));
    }
}
