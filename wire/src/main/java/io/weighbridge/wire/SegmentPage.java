package io.weighbridge.wire;

import java.util.List;

/**
 * The segments of one node.
 */
public record SegmentPage(List<SegmentView> segments) {}
