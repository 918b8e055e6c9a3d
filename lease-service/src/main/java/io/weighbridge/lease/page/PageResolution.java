package io.weighbridge.lease.page;

import io.weighbridge.lease.readlease.application.Locator.Located;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.wire.ReplicaView;
import io.weighbridge.wire.ResolvePages;
import io.weighbridge.wire.ResolvedPages;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A page is a hit only if all its objects can be read with a lease; there are no half hits (spec 2.4). */
final class PageResolution {

    private PageResolution() {}

    /**
     * Resolves pages out of one look at all their objects.
     *
     * @param located by key
     * @param turn which of several equally good copies is told; another one each time spreads the readers
     */
    static ResolvedPages resolve(List<ResolvePages.Page> pages, Map<String, Located> located, int turn) {
        List<ResolvedPages.Page> resolved = new ArrayList<>(pages.size());
        int leading = 0;
        boolean unbroken = true;
        for (ResolvePages.Page page : pages) {
            ResolvedPages.Page answer = resolve(page, located, turn);
            resolved.add(answer);
            unbroken = unbroken && answer.result() == ResolvedPages.Result.HIT;
            leading += unbroken ? 1 : 0;
        }
        return new ResolvedPages(resolved, leading);
    }

    private static ResolvedPages.Page resolve(ResolvePages.Page page, Map<String, Located> located, int turn) {
        List<ReplicaView> leases = new ArrayList<>(page.keys().size());
        List<ResolvedPages.PageObject> objects = new ArrayList<>(page.keys().size());
        for (String key : page.keys()) {
            ProblemCode missing = missing(located.get(key));
            objects.add(new ResolvedPages.PageObject(key, missing));
            if (missing == null && located.get(key) instanceof Located.Found found) {
                leases.add(best(found.replicas(), turn));
            }
        }
        return leases.size() == page.keys().size()
                ? new ResolvedPages.Page(page.pageId(), ResolvedPages.Result.HIT, leases, List.of())
                : new ResolvedPages.Page(page.pageId(), ResolvedPages.Result.MISS, null, objects);
    }

    private static @Nullable ProblemCode missing(@Nullable Located located) {
        return switch (located) {
            case Located.Found found -> null;
            case Located.Missing(ProblemCode code) -> code;
            case null -> ProblemCode.NOT_FOUND;
        };
    }

    /** One of those in the hottest tier; the copies are sorted so. */
    private static ReplicaView best(List<ReplicaView> replicas, int turn) {
        long equallyHot = replicas.stream()
                .filter(replica -> replica.tier() == replicas.getFirst().tier())
                .count();
        return replicas.get(Math.floorMod(turn, (int) equallyHot));
    }
}
