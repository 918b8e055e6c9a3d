package io.weighbridge.wire;

import io.weighbridge.ledger.problem.ProblemCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * @param leadingHits length of the longest run of hits from the first page
 */
public record ResolvedPages(List<ResolvedPages.Page> pages, int leadingHits) {

    /** Whether all objects of a page may be read. */
    public enum Result {
        HIT,
        MISS
    }

    /**
     * @param readLeases on a hit, one copy of each object with its lease, in the order of the keys
     * @param objects on a miss, each object with the reason why it is none
     */
    public record Page(
            String pageId, Result result, @Nullable List<ReplicaView> readLeases, List<PageObject> objects) {}

    /** @param code absent when this object alone could be read */
    public record PageObject(String key, @Nullable ProblemCode code) {}
}
