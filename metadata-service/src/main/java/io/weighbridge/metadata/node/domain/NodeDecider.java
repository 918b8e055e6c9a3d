package io.weighbridge.metadata.node.domain;

import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.vocabulary.NodeState;
import io.weighbridge.ledger.vocabulary.SegmentState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rules of a node's life (spec 2.6). */
public final class NodeDecider {

    /** More I/O failures than this, earlier ones counted half, quarantine a segment. */
    static final long FAILURES_MAX = 10;

    private NodeDecider() {}

    /**
     * An agent registers. A repeat of the same incarnation changes only what differs; a new incarnation must verify and
     * mount its segments again; a new arena moves its segment's epoch.
     *
     * @param known null for a node that has never registered
     * @param segments of the node, and any others that the registration names
     */
    public static Decision<NodeEvent> register(
            @Nullable Node known, List<Segment> segments, Registration wanted, Instant now) {
        if (known != null && !known.subject().equals(wanted.subject())) {
            return refused(ProblemCode.PERMISSION_DENIED, "another subject has registered this node");
        }
        Map<UUID, Segment> byId = new HashMap<>();
        segments.forEach(segment -> byId.put(segment.segmentId(), segment));
        Optional<Problem> wrong = refusesOffers(wanted, byId);
        if (wrong.isPresent()) {
            return Decision.refused(wrong.get());
        }
        boolean restarted = known == null || !known.agentIncarnation().equals(wanted.agentIncarnation());
        List<NodeEvent> events = new ArrayList<>();
        events.add(new NodeEvent.NodeChanged(registered(known, wanted, restarted, now)));
        Set<UUID> named = new HashSet<>();
        for (Registration.Offer offer : wanted.segments()) {
            named.add(offer.segmentId());
            offered(byId.get(offer.segmentId()), wanted.nodeId(), offer, restarted)
                    .ifPresent(events::add);
        }
        for (Segment segment : segments) {
            if (!named.contains(segment.segmentId()) && segment.state() != SegmentState.UNMOUNTED) {
                events.add(new NodeEvent.SegmentChanged(segment.in(SegmentState.UNMOUNTED)));
            }
        }
        return new Decision.Accepted<>(events);
    }

    private static Optional<Problem> refusesOffers(Registration wanted, Map<UUID, Segment> byId) {
        Set<UUID> named = new HashSet<>();
        for (Registration.Offer offer : wanted.segments()) {
            Segment segment = byId.get(offer.segmentId());
            if (!named.add(offer.segmentId())) {
                return Optional.of(Problem.invalid("segments", "names a segment twice: " + offer.segmentId()));
            }
            if (segment != null && !segment.nodeId().equals(wanted.nodeId())) {
                return Optional.of(
                        Problem.of(ProblemCode.CONFLICT, "segment " + offer.segmentId() + " belongs to another node"));
            }
            if (segment != null && segment.tier() != offer.tier()) {
                return Optional.of(Problem.of(
                        ProblemCode.CONFLICT, "segment " + offer.segmentId() + " is of tier " + segment.tier()));
            }
        }
        return Optional.empty();
    }

    private static Node registered(@Nullable Node known, Registration wanted, boolean restarted, Instant now) {
        boolean live = known != null && !restarted && known.state() == NodeState.LIVE;
        return new Node(
                wanted.nodeId(),
                wanted.agentIncarnation(),
                wanted.url(),
                wanted.labels(),
                wanted.hostBootId(),
                live ? NodeState.LIVE : NodeState.JOINING,
                wanted.subject(),
                known == null ? 1 : known.version() + 1,
                known == null || restarted ? now : known.registeredAt(),
                now);
    }

    private static Optional<NodeEvent> offered(
            @Nullable Segment segment, UUID nodeId, Registration.Offer offer, boolean restarted) {
        if (segment == null) {
            return Optional.of(new NodeEvent.SegmentAdded(new Segment(
                    offer.segmentId(),
                    nodeId,
                    offer.tier(),
                    offer.arenaId(),
                    SegmentState.VERIFYING,
                    1,
                    offer.capacity(),
                    0,
                    0)));
        }
        if (!segment.arenaId().equals(offer.arenaId())) {
            return Optional.of(new NodeEvent.EpochMoved(new Segment(
                    segment.segmentId(),
                    nodeId,
                    segment.tier(),
                    offer.arenaId(),
                    SegmentState.VERIFYING,
                    segment.epoch() + 1,
                    offer.capacity(),
                    0,
                    0)));
        }
        boolean verify = restarted || segment.state() == SegmentState.UNMOUNTED;
        Segment next = new Segment(
                segment.segmentId(),
                nodeId,
                segment.tier(),
                segment.arenaId(),
                verify ? SegmentState.VERIFYING : segment.state(),
                segment.epoch(),
                offer.capacity(),
                segment.usedBytes(),
                restarted ? 0 : segment.ioFailures());
        return next.equals(segment) ? Optional.empty() : Optional.of(new NodeEvent.SegmentChanged(next));
    }

    /** What every call of an agent is checked for, in this order. */
    public static Optional<Problem> refusesAgent(
            @Nullable Node known, String subject, @Nullable UUID agentIncarnation) {
        if (known == null) {
            return Optional.of(Problem.of(ProblemCode.NOT_FOUND, "no such node; register first"));
        }
        if (!known.subject().equals(subject)) {
            return Optional.of(Problem.of(ProblemCode.PERMISSION_DENIED, "another subject has registered this node"));
        }
        return agentIncarnation == null || known.agentIncarnation().equals(agentIncarnation)
                ? Optional.empty()
                : Optional.of(Problem.of(ProblemCode.STALE_INCARNATION, "a newer start of this agent has registered"));
    }

    /**
     * What an agent that changes a segment is checked for: as {@link #refusesAgent}, and it must say which start of it
     * asks, so that an agent from before a restart cannot mount what the newer one has not verified.
     */
    public static Optional<Problem> refusesChange(
            @Nullable Node known, String subject, @Nullable UUID agentIncarnation) {
        return refusesAgent(known, subject, agentIncarnation)
                .or(() -> agentIncarnation == null
                        ? Optional.of(Problem.invalid("agent_incarnation", "is missing; an agent must tell its own"))
                        : Optional.empty());
    }

    /** A heartbeat makes a node LIVE, whatever was thought of it. */
    public static Node heartbeat(Node node, Instant now) {
        Node beaten = node.beaten(now);
        return switch (node.state()) {
            case LIVE -> beaten;
            case JOINING, SUSPECT, DEAD -> beaten.in(NodeState.LIVE);
        };
    }

    /** A segment whose I/O fails while its heartbeats go on is quarantined by failure rate. */
    public static Segment failures(Segment segment, long reported) {
        long failures = segment.ioFailures() / 2 + reported;
        Segment counted = segment.withFailures(failures);
        return switch (segment.state()) {
            case MOUNTED, DRAINING -> failures > FAILURES_MAX ? counted.in(SegmentState.QUARANTINED) : counted;
            case VERIFYING, QUARANTINED, UNMOUNTED -> counted;
        };
    }

    /** The agent has verified the segment's bytes. */
    public static Decision<NodeEvent> mount(Segment segment) {
        return switch (segment.state()) {
            case MOUNTED -> Decision.unchanged();
            case VERIFYING, DRAINING, UNMOUNTED ->
                Decision.accepted(new NodeEvent.SegmentChanged(segment.in(SegmentState.MOUNTED)));
            case QUARANTINED ->
                refused(ProblemCode.CONFLICT, "the segment is quarantined; its agent must be started again");
        };
    }

    /** Takes the segment out of use at once; its copies are not readable any more. */
    public static Decision<NodeEvent> unmount(Segment segment) {
        return switch (segment.state()) {
            case UNMOUNTED -> Decision.unchanged();
            case VERIFYING, MOUNTED, DRAINING, QUARANTINED ->
                Decision.accepted(new NodeEvent.SegmentChanged(segment.in(SegmentState.UNMOUNTED)));
        };
    }

    /** No new copies from now on; what is there stays readable. */
    public static Decision<NodeEvent> drain(Segment segment) {
        return switch (segment.state()) {
            case DRAINING -> Decision.unchanged();
            case MOUNTED -> Decision.accepted(new NodeEvent.SegmentChanged(segment.in(SegmentState.DRAINING)));
            case VERIFYING, QUARANTINED, UNMOUNTED ->
                refused(ProblemCode.NOT_READY, "only a mounted segment is drained; this one is " + segment.state());
        };
    }

    private static Decision<NodeEvent> refused(ProblemCode code, String detail) {
        return Decision.refused(Problem.of(code, detail));
    }
}
