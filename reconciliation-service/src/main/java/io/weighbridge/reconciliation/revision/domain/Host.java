package io.weighbridge.reconciliation.revision.domain;

import io.weighbridge.ledger.vocabulary.NodeState;
import io.weighbridge.ledger.vocabulary.SegmentState;
import io.weighbridge.ledger.vocabulary.Tier;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** A node and the room it has. */
public record Host(UUID nodeId, NodeState state, Map<String, String> labels, List<Room> rooms) {

    /** One segment; {@code freeBytes} as the ledger counts them. */
    public record Room(UUID segmentId, Tier tier, SegmentState state, long freeBytes) {}

    public Host {
        labels = Map.copyOf(labels);
        rooms = List.copyOf(rooms);
    }

    /** New copies may be written to it: a node with missing heartbeats takes none (spec 2.6). */
    public boolean takesCopies() {
        return state == NodeState.LIVE;
    }

    public Optional<Room> room(UUID segmentId) {
        return rooms.stream().filter(room -> room.segmentId().equals(segmentId)).findFirst();
    }

    /** The failure domain that copies should not share, where the node is labelled with one. */
    public String zone() {
        String zone = labels.get("zone");
        String rack = labels.get("rack");
        if (zone == null && rack == null) {
            return nodeId.toString();
        }
        return (zone == null ? "" : zone) + "/" + (rack == null ? "" : rack);
    }
}
