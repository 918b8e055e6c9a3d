package io.weighbridge.metadata.object.http;

import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.vocabulary.ReplicaState;
import io.weighbridge.metadata.object.application.ObjectQueries;
import io.weighbridge.metadata.object.application.PutAnswer;
import io.weighbridge.metadata.object.application.Removal;
import io.weighbridge.metadata.object.domain.Diagnosed;
import io.weighbridge.metadata.object.domain.Found;
import io.weighbridge.wire.Diagnosis;
import io.weighbridge.wire.Keys;
import io.weighbridge.wire.ObjectResults;
import io.weighbridge.wire.ReplicaView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Asking for objects, removing them, and asking why one cannot be read. */
@RestController
@RequestMapping("/v1/objects")
public class ObjectController {

    private final ObjectQueries queries;
    private final Removal removal;

    public ObjectController(ObjectQueries queries, Removal removal) {
        this.queries = queries;
        this.removal = removal;
    }

    /** Which keys are readable, and where; it never grants a read lease. */
    @PostMapping("/exists")
    Mono<ObjectResults> exists(@RequestBody Keys body, Caller caller) {
        String tenant = caller.require(Scope.OBJECTS_READ).tenant();
        List<String> keys = Batch.checked("keys", body.keys());
        Map<String, String> ids = ids(tenant, keys);
        return queries.found(ids.values())
                .map(found -> new ObjectResults(keys.stream()
                        .map(key -> exists(key, ids.get(key), found))
                        .toList()));
    }

    /** Removes unmanaged objects, with all that share a group with them; pinned ones only by force. */
    @PostMapping("/remove")
    Mono<ObjectResults> remove(@RequestBody Keys body, Caller caller) {
        String tenant = caller.require(Scope.OBJECTS_WRITE).tenant();
        List<String> keys = Batch.checked("keys", body.keys());
        Map<String, String> ids = ids(tenant, keys);
        List<String> known = List.copyOf(ids.values());
        return removal.remove(known, Boolean.TRUE.equals(body.force()), caller.subject())
                .map(answers -> {
                    Map<String, PutAnswer> byId = new LinkedHashMap<>();
                    for (int i = 0; i < known.size(); i++) {
                        byId.put(known.get(i), answers.get(i));
                    }
                    List<ObjectResults.Item> items = new ArrayList<>(keys.size());
                    for (String key : keys) {
                        PutAnswer answer = byId.get(ids.get(key));
                        items.add(answer == null ? malformed(key) : PutItems.done(key, answer));
                    }
                    return new ObjectResults(items);
                });
    }

    /** Why an object is, or is not, readable, in layers. */
    @GetMapping("/diagnosis")
    Mono<Diagnosis> diagnosis(@RequestParam("key") String key, Caller caller) {
        String tenant = caller.require(Scope.OBJECTS_READ).tenant();
        String id = CanonicalKeys.objectId(tenant, Validation.objectKey("key", key));
        return queries.diagnose(id)
                .map(report -> new Diagnosis(
                        key,
                        report.readable(),
                        report.layers().stream().map(ObjectController::layer).toList()));
    }

    private static Diagnosis.Layer layer(Diagnosed.Layer layer) {
        Diagnosis.Verdict verdict = switch (layer.verdict()) {
            case OK -> Diagnosis.Verdict.OK;
            case WARNING -> Diagnosis.Verdict.WARNING;
            case BLOCKING -> Diagnosis.Verdict.BLOCKING;
        };
        return new Diagnosis.Layer(layer.name(), verdict, layer.evidence(), layer.nextStep());
    }

    /** Object ids by key, without the malformed keys. */
    private static Map<String, String> ids(String tenant, List<String> keys) {
        Map<String, String> ids = new LinkedHashMap<>();
        for (String key : keys) {
            if (problem(key) == null) {
                ids.put(key, CanonicalKeys.objectId(tenant, key));
            }
        }
        return ids;
    }

    private static @Nullable Problem problem(String key) {
        try {
            Validation.objectKey("keys", key);
            return null;
        } catch (ProblemException malformed) {
            return malformed.problem();
        }
    }

    private static ObjectResults.Item malformed(String key) {
        Problem problem = problem(key);
        return PutItems.refused(key, problem == null ? Problem.invalid("keys", "is malformed") : problem);
    }

    private static ObjectResults.Item exists(String key, @Nullable String id, Map<String, Found> all) {
        if (id == null) {
            return malformed(key);
        }
        Found found = all.get(id);
        if (found == null || !found.hasCopies()) {
            return PutItems.refused(key, Problem.of(ProblemCode.NOT_FOUND, "no such object"));
        }
        if (found.copies().isEmpty()) {
            return PutItems.refused(
                    key, Problem.of(ProblemCode.NOT_READY, "the object is committed, but no copy is readable now"));
        }
        return new ObjectResults.Item(
                key,
                200,
                null,
                null,
                found.objectVersion(),
                found.size(),
                found.digest(),
                found.copies().stream().map(ObjectController::view).toList());
    }

    private static ReplicaView view(Found.At copy) {
        return new ReplicaView(
                copy.replicaId(),
                copy.nodeId(),
                copy.url(),
                copy.segmentId(),
                copy.tier(),
                ReplicaState.COMPLETE,
                true,
                null);
    }
}
