package io.weighbridge.metadata.object.http;

import io.weighbridge.ledger.http.problem.ProblemStatus;
import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.metadata.object.application.PutAnswer;
import io.weighbridge.metadata.object.application.Replicas;
import io.weighbridge.wire.PlanReplicas;
import io.weighbridge.wire.PutStarted;
import io.weighbridge.wire.RetireReplicas;
import io.weighbridge.wire.RetiredReplicas;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** What the reconciler asks of members' copies (spec 1.7, 5.2). */
@RestController
@RequestMapping("/v1/internal/replicas")
public class ReplicaController {

    private final Replicas replicas;

    public ReplicaController(Replicas replicas) {
        this.replicas = replicas;
    }

    /** Reserves space for more copies and hands out their write tokens. */
    @PostMapping("/plan")
    Mono<PutStarted> plan(@RequestBody PlanReplicas body, Caller caller) {
        caller.require(Scope.LEDGER_INTERNAL);
        List<PlanReplicas.Item> items = Batch.checked("items", body.items());
        Replicas.Claim claim = new Replicas.Claim(
                new RevisionId(body.revisionId()), body.operationId(), body.claimEpoch(), caller.subject());
        List<Replicas.Wish> wishes = items.stream()
                .map(item -> new Replicas.Wish(item.key(), item.tier(), item.nodeId()))
                .toList();
        return replicas.plan(claim, body.operationId(), wishes).map(answers -> {
            List<PutStarted.Item> results = new ArrayList<>(items.size());
            for (int i = 0; i < items.size(); i++) {
                results.add(PutItems.started(items.get(i).key(), answers.get(i)));
            }
            return new PutStarted(results);
        });
    }

    /** Makes copies unreadable; never the last readable one but by a delete. */
    @PostMapping("/retire")
    Mono<RetiredReplicas> retire(@RequestBody RetireReplicas body, Caller caller) {
        caller.require(Scope.LEDGER_INTERNAL);
        List<UUID> ids = Batch.checked("replica_ids", body.replicaIds());
        Replicas.Claim claim = new Replicas.Claim(
                new RevisionId(body.revisionId()), body.operationId(), body.claimEpoch(), caller.subject());
        return replicas.retire(claim, ids).map(answers -> {
            List<RetiredReplicas.Item> results = new ArrayList<>(ids.size());
            for (int i = 0; i < ids.size(); i++) {
                results.add(retired(ids.get(i), answers.get(i)));
            }
            return new RetiredReplicas(results);
        });
    }

    private static RetiredReplicas.Item retired(UUID id, PutAnswer answer) {
        return switch (answer) {
            case PutAnswer.Done done -> new RetiredReplicas.Item(id, 200, null);
            case PutAnswer.Started started -> throw new IllegalStateException("a retirement has no token");
            case PutAnswer.Refused(Problem problem) ->
                new RetiredReplicas.Item(id, ProblemStatus.of(problem.code()), problem.code());
        };
    }
}
