package io.weighbridge.metadata.object.application;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.store.GroupCommit;
import io.weighbridge.ledger.store.GroupCommit.Outcome;
import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.metadata.object.postgres.PutProjection;
import io.weighbridge.metadata.revision.application.Imports;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs starts, ends, revokes and reports. Requests that arrive together become one transaction, whether they come from
 * one batch or from many callers: there is no other path (spec 2.2).
 */
public final class PutHandler {

    private static final GroupCommit.Limits LIMITS = new GroupCommit.Limits(256, 2, 50_000);
    private static final int ATTEMPTS = 4;

    private final Ledger ledger;
    private final Imports imports;
    private final ObjectSettings settings;
    private final PutLoad load = new PutLoad();
    private final PutProjection projection = new PutProjection();
    private final ObjectEntries entries;
    private final LongConsumer wantsRoom;
    private final GroupCommit<PutRequest, PutAnswer> commit;

    /** @param wantsRoom told the size of a put that found no room; must not block */
    public PutHandler(
            Ledger ledger, Imports imports, ObjectSettings settings, JsonMapper json, LongConsumer wantsRoom) {
        this.ledger = ledger;
        this.imports = imports;
        this.settings = settings;
        this.wantsRoom = wantsRoom;
        this.entries = new ObjectEntries(json);
        this.commit = new GroupCommit<>(LIMITS, this::together, request -> alone(request, ATTEMPTS));
    }

    /** Answers after the commit, in the requests' order; a refusal of one never touches the others. */
    public Mono<List<PutAnswer>> submit(List<PutRequest> requests) {
        return Flux.fromIterable(requests)
                .flatMapSequential(this::one, Math.max(1, requests.size()))
                .collectList();
    }

    /** Eviction hears of puts that found no room. */
    private void listen(PutRequest request, PutAnswer answer) {
        if (request instanceof PutRequest.Start start
                && answer instanceof PutAnswer.Refused(Problem problem)
                && problem.code() == ProblemCode.NO_SPACE) {
            wantsRoom.accept(start.wanted().size());
        }
    }

    /** An error of the ledger is an item's answer too, so that a batch tells what is known of each. */
    private Mono<PutAnswer> one(PutRequest request) {
        return commit.submit(request)
                .doOnNext(answer -> listen(request, answer))
                .onErrorResume(ProblemException.class, error -> Mono.just(new PutAnswer.Refused(error.problem())));
    }

    private Mono<List<Outcome<PutAnswer>>> together(List<PutRequest> requests) {
        return ledger.transact(Guards.none(), tx -> run(tx, requests, null));
    }

    private Mono<PutAnswer> alone(PutRequest request, int attempts) {
        return load.targets(ledger.reads()::sql, List.of(request))
                .onErrorMap(Ledger::readError)
                .flatMap(targets -> {
                    Optional<RevisionId> guard = targets.guard(request);
                    Guards guards = guard.map(Guards::shared).orElseGet(Guards::none);
                    Set<RevisionId> held = guard.map(Set::of).orElseGet(Set::of);
                    return ledger.transact(guards, tx -> run(tx, List.of(request), held));
                })
                .flatMap(outcomes -> switch (outcomes.getFirst()) {
                    case Outcome.Answered<PutAnswer>(PutAnswer answer) -> Mono.just(answer);
                    // The object came into being, or into a group, in between: look again.
                    case Outcome.Contended<PutAnswer>() ->
                        attempts > 1
                                ? alone(request, attempts - 1)
                                : Mono.error(new ProblemException(ProblemCode.BUSY, "the key is contended; try again"));
                });
    }

    private Mono<List<Outcome<PutAnswer>>> run(
            LedgerTransaction tx, List<PutRequest> requests, @Nullable Set<RevisionId> held) {
        return load.load(tx, requests, held).flatMap(loaded -> {
            PutFold fold = new PutFold(settings, loaded);
            List<Outcome<PutAnswer>> outcomes = new ArrayList<>(requests.size());
            requests.forEach(request -> outcomes.add(fold.answer(request)));
            return projection
                    .write(tx::sql, loaded.book())
                    .flatMap(raced -> tx.append(entries.of(loaded.book(), raced))
                            .then(Mono.defer(() -> beat(tx, loaded)))
                            .thenReturn(settled(requests, outcomes, loaded, raced)));
        });
    }

    private Mono<Void> beat(LedgerTransaction tx, PutLoad.Loaded loaded) {
        List<RevisionId> written = PutFold.written(loaded.book());
        return written.isEmpty() ? Mono.empty() : imports.beat(tx, written);
    }

    /** What was decided on a key that somebody else has created meanwhile was not written: it is decided again. */
    private static List<Outcome<PutAnswer>> settled(
            List<PutRequest> requests, List<Outcome<PutAnswer>> outcomes, PutLoad.Loaded loaded, Set<String> raced) {
        if (raced.isEmpty()) {
            return outcomes;
        }
        List<Outcome<PutAnswer>> settled = new ArrayList<>(outcomes);
        for (int i = 0; i < requests.size(); i++) {
            String objectId = loaded.targets().objectId(requests.get(i));
            if (objectId != null && raced.contains(objectId)) {
                settled.set(i, new Outcome.Contended<>());
            }
        }
        return settled;
    }
}
