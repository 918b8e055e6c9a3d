package io.weighbridge.lease.readlease.http;

import io.weighbridge.lease.readlease.application.Locator;
import io.weighbridge.lease.readlease.application.Locator.Located;
import io.weighbridge.ledger.http.openapi.Refusals;
import io.weighbridge.ledger.http.problem.ProblemStatus;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.wire.Keys;
import io.weighbridge.wire.ManifestSources;
import io.weighbridge.wire.ObjectResults;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Where bytes can be read now, with permission to do so (spec 2.3, 5.2). */
@RestController
@RequestMapping("/v1")
public class LocateController {

    private static final int KEYS_MAX = 1000;

    private final Locator locator;

    public LocateController(Locator locator) {
        this.locator = locator;
    }

    /**
     * Tells the readable copies of up to 1000 objects, each with a read lease that its node checks. Every key has its
     * own status: 200, NOT_FOUND, or NOT_READY where the object exists without a readable copy. Needs the scope
     * {@code objects:read}, or {@code nodes:agent}.
     *
     * @param lease false: no read leases, for looking only
     * @param tenantId for services and agents: whose objects
     */
    @PostMapping("/objects/locate")
    Mono<ObjectResults> locateObjects(
            Caller caller,
            @RequestBody Keys body,
            @RequestParam(name = "lease", defaultValue = "true") boolean lease,
            @RequestParam(name = "tenant_id", required = false) @Nullable String tenantId) {
        String tenant = TenantOfRequest.of(caller, tenantId);
        List<String> keys = legal(body);
        Mono<Map<String, Located>> located =
                lease ? locator.lease(tenant, keys, body.readLeaseTtlMs()) : locator.look(tenant, keys);
        return located.map(found -> results(keys, found));
    }

    /**
     * Tells where a committed revision's manifest can be read, with a read lease for each source. The reader compares
     * its SHA-256. Needs the scope {@code weights:read}.
     */
    @GetMapping("/revisions/{id}/manifest")
    @Refusals({ProblemCode.NOT_FOUND, ProblemCode.NOT_READY})
    Mono<ManifestSources> getManifestSources(Caller caller, @PathVariable RevisionId id) {
        caller.require(Scope.WEIGHTS_READ);
        return locator.manifest(id, caller.isInternal() ? null : caller.tenant());
    }

    private static List<String> legal(Keys body) {
        if (body.keys().isEmpty() || body.keys().size() > KEYS_MAX) {
            throw new ProblemException(Problem.invalid(
                    "keys", "must be 1 to " + KEYS_MAX + ", are " + body.keys().size()));
        }
        if (Boolean.TRUE.equals(body.force())) {
            throw new ProblemException(Problem.invalid("force", "is for removing only"));
        }
        for (int i = 0; i < body.keys().size(); i++) {
            Validation.objectKey("keys[" + i + "]", body.keys().get(i));
        }
        return body.keys();
    }

    private static ObjectResults results(List<String> keys, Map<String, Located> found) {
        List<ObjectResults.Item> items = new ArrayList<>(keys.size());
        for (String key : keys) {
            items.add(item(key, found.get(key)));
        }
        return new ObjectResults(items);
    }

    private static ObjectResults.Item item(String key, @Nullable Located located) {
        return switch (located) {
            case Located.Found(var object, var replicas) ->
                new ObjectResults.Item(
                        key, 200, null, null, object.version(), object.size(), object.digest(), replicas);
            case Located.Missing(ProblemCode code) -> missing(key, code);
            case null -> missing(key, ProblemCode.NOT_FOUND);
        };
    }

    private static ObjectResults.Item missing(String key, ProblemCode code) {
        String detail = code == ProblemCode.NOT_FOUND ? "no such object" : "the object has no readable copy now";
        return new ObjectResults.Item(key, ProblemStatus.of(code), code, detail, null, null, null, List.of());
    }
}
