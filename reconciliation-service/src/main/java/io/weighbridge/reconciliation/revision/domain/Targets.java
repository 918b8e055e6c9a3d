package io.weighbridge.reconciliation.revision.domain;

import io.weighbridge.ledger.vocabulary.SegmentState;
import io.weighbridge.reconciliation.revision.domain.Action.CopyMember;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses where copies go in one pass, and keeps count: of the room that each segment has left, of the bytes on their
 * way to each node, and of the copies in flight.
 */
final class Targets {

    /** Where one copy goes, or why it cannot go anywhere now. */
    sealed interface Choice {
        /** There. */
        record Place(CopyMember copy) implements Choice {}

        /** Enough copies are in flight: in a later pass. */
        record Later() implements Choice {}

        /** No readable source, or no allowed node with room. */
        record Nowhere() implements Choice {}
    }

    private record Candidate(Host host, Host.Room room, long free) {}

    private final RevisionSituation situation;
    private final Limits limits;
    private final Map<UUID, Long> taken = new HashMap<>();
    private final Map<UUID, Long> bytesInFlight = new HashMap<>();
    private int copiesInFlight;

    Targets(RevisionSituation situation, Limits limits) {
        this.situation = situation;
        this.limits = limits;
        for (Member member : situation.members()) {
            member.in(CopyState.MOVING).forEach(copy -> inFlight(copy.nodeId(), member.size()));
        }
    }

    /**
     * Places one more copy and counts it.
     *
     * @param sharing nodes that hold or get a copy of the same kind already
     */
    Choice choose(Member member, boolean hot, Set<UUID> sharing) {
        if (!member.isReadable()) {
            return new Choice.Nowhere();
        }
        List<Candidate> fitting = situation.hosts().values().stream()
                .filter(host -> mayTake(host, sharing))
                .flatMap(host -> room(host, member, hot).stream())
                .toList();
        if (fitting.isEmpty()) {
            return new Choice.Nowhere();
        }
        if (copiesInFlight >= limits.copiesInFlight()) {
            return new Choice.Later();
        }
        return fitting.stream()
                .filter(candidate -> hasTime(candidate.host(), member))
                .min(preference(member, sharing))
                .<Choice>map(candidate -> new Choice.Place(take(candidate, member)))
                .orElseGet(Choice.Later::new);
    }

    /** Where copies of this kind are already, whatever they are good for, unless their segment is lost. */
    static Set<UUID> holders(Member member, boolean hot) {
        Set<UUID> holders = new HashSet<>();
        for (Copy copy : member.copies()) {
            if (copy.isHot() == hot && copy.state() != CopyState.UNREADABLE) {
                holders.add(copy.nodeId());
            }
        }
        return holders;
    }

    private boolean mayTake(Host host, Set<UUID> sharing) {
        return host.takesCopies()
                && situation.row().wanted().allows(host)
                && !sharing.contains(host.nodeId())
                && !situation.shunned().contains(host.nodeId());
    }

    private Optional<Candidate> room(Host host, Member member, boolean hot) {
        return host.rooms().stream()
                .filter(room -> room.tier().isHot() == hot && room.state() == SegmentState.MOUNTED)
                .map(room -> new Candidate(host, room, free(room)))
                .filter(candidate -> candidate.free() >= member.size())
                .max(Comparator.comparingLong(Candidate::free)
                        .thenComparing(candidate -> candidate.room().segmentId()));
    }

    private long free(Host.Room room) {
        return room.freeBytes() - taken.getOrDefault(room.segmentId(), 0L);
    }

    private boolean hasTime(Host host, Member member) {
        long now = bytesInFlight.getOrDefault(host.nodeId(), 0L);
        return now == 0 || now + member.size() <= limits.bytesInFlightPerNode();
    }

    /** Another failure domain, then no network, then the most room: the last spreads copies over equal nodes. */
    private Comparator<Candidate> preference(Member member, Set<UUID> sharing) {
        Set<String> zones = new HashSet<>();
        sharing.stream().map(this::zone).filter(Objects::nonNull).forEach(zones::add);
        Set<UUID> local = new HashSet<>();
        member.readable().map(Copy::nodeId).forEach(local::add);
        return Comparator.comparing(
                        (Candidate candidate) -> zones.contains(candidate.host().zone()))
                .thenComparing(candidate -> !local.contains(candidate.host().nodeId()))
                .thenComparing(Comparator.comparingLong(Candidate::free).reversed())
                .thenComparing(candidate -> candidate.host().nodeId());
    }

    private @Nullable String zone(UUID nodeId) {
        Host host = situation.hosts().get(nodeId);
        return host == null ? null : host.zone();
    }

    private CopyMember take(Candidate candidate, Member member) {
        UUID nodeId = candidate.host().nodeId();
        taken.merge(candidate.room().segmentId(), member.size(), Long::sum);
        inFlight(nodeId, member.size());
        return new CopyMember(
                member.key(), member.sourcesFor(nodeId), candidate.room().tier(), nodeId);
    }

    private void inFlight(UUID nodeId, long bytes) {
        copiesInFlight++;
        bytesInFlight.merge(nodeId, bytes, Long::sum);
    }

    /** The nodes of some copies. */
    static Set<UUID> nodes(Stream<Copy> copies) {
        Set<UUID> nodes = new HashSet<>();
        copies.map(Copy::nodeId).forEach(nodes::add);
        return nodes;
    }
}
