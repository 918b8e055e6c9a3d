package io.weighbridge.reconciliation.revision.application;

import io.weighbridge.ledger.identity.Fence;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.reconciliation.revision.calls.MetadataCalls;
import io.weighbridge.reconciliation.revision.domain.Action;
import io.weighbridge.reconciliation.revision.domain.Action.CopyMember;
import io.weighbridge.reconciliation.work.domain.Claim;
import io.weighbridge.wire.Claimed;
import io.weighbridge.wire.RetireReplicas;
import io.weighbridge.wire.RetiredReplicas;
import io.weighbridge.wire.StartAutoRepair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Does what a plan says, in its order. The first refusal ends the pass: the next look knows better. */
final class Acting {

    private static final int RETIRED_AT_A_TIME = 256;

    private final MetadataCalls metadata;
    private final Copier copier;

    Acting(MetadataCalls metadata, Copier copier) {
        this.metadata = metadata;
        this.copier = copier;
    }

    Mono<Void> act(Sight sight, Claim claim, List<Action> actions) {
        List<CopyMember> copies = new ArrayList<>();
        List<Action> others = new ArrayList<>();
        for (Action action : actions) {
            if (action instanceof CopyMember copy) {
                copies.add(copy);
            } else {
                others.add(action);
            }
        }
        Mono<Void> copying = sight.operationId()
                .filter(_ -> !copies.isEmpty())
                .map(operation -> copier.copy(sight, operation, claim.epoch(), copies))
                .orElseGet(Mono::empty);
        return copying.thenMany(Flux.fromIterable(others).concatMap(action -> act(sight, claim, action)))
                .then();
    }

    private Mono<Void> act(Sight sight, Claim claim, Action action) {
        String id = claim.revision().hex();
        UUID operation = sight.operationId().orElse(null);
        return switch (action) {
            case CopyMember _ -> Mono.empty();
            case Action.RetireReplicas(List<UUID> ids, Action.Reason _) ->
                retire(id, sight.isDeleting() ? null : operation, claim.epoch(), ids);
            case Action.ReportProgress(long processed, String cursor) ->
                metadata.progress(id, new Claimed(operation, claim.epoch(), processed, cursor));
            case Action.Finish(long processed, String cursor) ->
                metadata.finish(id, new Claimed(operation, claim.epoch(), processed, cursor));
            case Action.FinishDelete() -> metadata.finishDelete(id, new Claimed(null, claim.epoch(), null, null));
            case Action.Observe() -> metadata.observe(id, new Claimed(operation, claim.epoch(), null, null));
            case Action.StartRepair(long generation) ->
                metadata.startRepair(id, new StartAutoRepair(generation, claim.epoch()));
            case Action.AbortImport(long generation, Duration idle) ->
                metadata.abort(id, Fence.exactly(generation), idle.toMillis());
        };
    }

    private Mono<Void> retire(String revision, @Nullable UUID operation, long epoch, List<UUID> ids) {
        return Flux.fromIterable(ids)
                .buffer(RETIRED_AT_A_TIME)
                .concatMap(batch -> metadata.retire(new RetireReplicas(revision, operation, epoch, batch))
                        .flatMap(Acting::allRetired))
                .then();
    }

    /** Every copy was tried; that one was refused must not pass unnoticed, or the same is planned again at once. */
    private static Mono<Void> allRetired(RetiredReplicas answer) {
        for (RetiredReplicas.Item item : answer.items()) {
            ProblemCode code = item.code();
            if (code != null && code != ProblemCode.NOT_FOUND) {
                return Mono.error(new ProblemException(code, "a copy could not be retired"));
            }
        }
        return Mono.empty();
    }
}
