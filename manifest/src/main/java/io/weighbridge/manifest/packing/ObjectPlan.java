package io.weighbridge.manifest.packing;

import java.util.List;

/**
 * How one payload object is made. Its segments ascend by object offset and do not overlap; bytes between two of them,
 * at most the alignment less one, are zero. The last segment ends the object.
 *
 * @param size in bytes, at least 1
 */
public record ObjectPlan(String key, long size, List<Segment> segments) {
    public ObjectPlan {
        segments = List.copyOf(segments);
    }
}
