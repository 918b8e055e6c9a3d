package io.weighbridge.lease.page;

import io.weighbridge.lease.readlease.application.Locator;
import io.weighbridge.lease.readlease.http.TenantOfRequest;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.wire.ResolvePages;
import io.weighbridge.wire.ResolvedPages;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Pages of a prefix cache (spec 2.4). */
@RestController
@RequestMapping("/v1/pages")
public class PageController {

    private static final int PAGES_MAX = 1000;
    private static final int KEYS_MAX = 10_000;

    private final Locator locator;
    private final AtomicInteger turn = new AtomicInteger();

    public PageController(Locator locator) {
        this.locator = locator;
    }

    /**
     * Tells for each of up to 1000 pages whether it is a hit: all its objects can be read now, each with a read lease.
     * A miss tells the reason for each object. Needs the scope {@code objects:read}, or {@code nodes:agent}.
     *
     * @param body up to 10000 keys in all
     * @param tenantId for services and agents: whose objects
     */
    @PostMapping("/resolve")
    Mono<ResolvedPages> resolvePages(
            Caller caller,
            @RequestBody ResolvePages body,
            @RequestParam(name = "tenant_id", required = false) @Nullable String tenantId) {
        String tenant = TenantOfRequest.of(caller, tenantId);
        Set<String> keys = keys(body.pages());
        return locator.lease(tenant, keys, null)
                .map(located -> PageResolution.resolve(body.pages(), located, turn.incrementAndGet()));
    }

    private static Set<String> keys(List<ResolvePages.Page> pages) {
        if (pages.isEmpty() || pages.size() > PAGES_MAX) {
            throw new ProblemException(Problem.invalid("pages", "must be 1 to " + PAGES_MAX + ", are " + pages.size()));
        }
        Set<String> keys = new LinkedHashSet<>();
        for (int i = 0; i < pages.size(); i++) {
            String place = "pages[" + i + "]";
            Validation.text(place + ".page_id", pages.get(i).pageId());
            if (pages.get(i).keys().isEmpty()) {
                throw new ProblemException(Problem.invalid(place + ".keys", "must be at least 1"));
            }
            for (String key : pages.get(i).keys()) {
                keys.add(Validation.objectKey(place + ".keys", key));
            }
        }
        if (keys.size() > KEYS_MAX) {
            throw new ProblemException(
                    Problem.invalid("pages", "must have at most " + KEYS_MAX + " keys in all, have " + keys.size()));
        }
        return keys;
    }
}
