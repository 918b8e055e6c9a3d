package io.weighbridge.metadata.node.domain;

/** What can have happened to a node and its segments. */
public sealed interface NodeEvent {

    /** The node's row is new or differs. */
    record NodeChanged(Node node) implements NodeEvent {}

    /** The segment is new. */
    record SegmentAdded(Segment segment) implements NodeEvent {}

    /** The segment's row differs. */
    record SegmentChanged(Segment segment) implements NodeEvent {}

    /** The segment's bytes are lost: its epoch has moved, and nothing of it is used. */
    record EpochMoved(Segment segment) implements NodeEvent {}
}
