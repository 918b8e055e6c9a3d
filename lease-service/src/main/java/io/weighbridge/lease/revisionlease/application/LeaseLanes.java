package io.weighbridge.lease.revisionlease.application;

import io.weighbridge.lease.revisionlease.postgres.LeaseProjection.LostRaceException;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.store.GroupCommit;
import io.weighbridge.ledger.store.GroupCommit.Limits;
import io.weighbridge.ledger.store.GroupCommit.Outcome;
import io.weighbridge.ledger.store.Guards;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * The ways of one kind of command into the ledger. Single commands that arrive together share a transaction; those of a
 * batch request have their own, in chunks; what meets a guard that somebody holds waits for it elsewhere, with few
 * others, so that one slow revision stalls neither lanes nor connections (spec 1.6).
 *
 * @param <C> a command
 */
final class LeaseLanes<C> {

    /** As many commands as a batch request may have. */
    private static final int CHUNK = 1000;

    private static final int LANES = 2;
    private static final int QUEUED = 20_000;
    private static final int RACES = 3;

    /** How a kind of command is carried out. */
    interface Work<C> {

        /** One transaction, which tries the guards and waits for none. */
        Mono<List<Outcome<LeaseAnswer>>> together(List<C> commands);

        /** A transaction for one command, which waits for its guard. */
        Mono<LeaseAnswer> alone(C command);

        /** What tells the guards of commands apart, before anything is read; null for a command without guard. */
        @Nullable
        Object guard(C command);
    }

    private final Work<C> work;
    private final GroupCommit<C, LeaseAnswer> singles;
    private final GroupCommit<List<C>, List<Outcome<LeaseAnswer>>> chunks;
    private final GroupCommit<C, LeaseAnswer> waiting;

    LeaseLanes(Work<C> work) {
        this.work = work;
        this.singles = new GroupCommit<>(new Limits(Guards.MOST, LANES, QUEUED), work::together, this::await);
        this.chunks = oneByOne(work::together);
        this.waiting = oneByOne(this::alone);
    }

    /** Answers after the commit. */
    Mono<LeaseAnswer> submit(C command) {
        return singles.submit(command);
    }

    /**
     * Answers in the order of the commands, which is the order in which they take effect as far as none meets a held
     * guard; all of them also when the caller goes away in between.
     */
    Mono<List<LeaseAnswer>> submitAll(List<C> commands) {
        Mono<List<LeaseAnswer>> all = Flux.fromIterable(chunksOf(commands))
                .concatMap(this::chunk)
                .collectList()
                .map(LeaseLanes::joined);
        return Mono.deferContextual(
                context -> Mono.fromFuture(() -> all.contextWrite(context).toFuture(), true));
    }

    /** One outcome for each command: the answers of those that were taken, in their order; the others are contended. */
    static <C> List<Outcome<LeaseAnswer>> outcomes(
            List<C> commands, Predicate<C> taken, List<LeaseAnswer> answersOfTaken) {
        Iterator<LeaseAnswer> answers = answersOfTaken.iterator();
        List<Outcome<LeaseAnswer>> outcomes = new ArrayList<>(commands.size());
        for (C command : commands) {
            outcomes.add(taken.test(command) ? new Outcome.Answered<>(answers.next()) : new Outcome.Contended<>());
        }
        return outcomes;
    }

    private Mono<List<LeaseAnswer>> chunk(List<C> commands) {
        return chunks.submit(commands)
                .flatMap(outcomes -> Flux.range(0, commands.size())
                        .flatMapSequential(i -> answer(outcomes.get(i), commands.get(i)), LANES)
                        .collectList())
                .onErrorResume(error -> ended(error, commands));
    }

    private Mono<LeaseAnswer> answer(Outcome<LeaseAnswer> outcome, C command) {
        return switch (outcome) {
            case Outcome.Answered<LeaseAnswer>(LeaseAnswer answer) -> Mono.just(answer);
            case Outcome.Contended<LeaseAnswer>() -> await(command).onErrorResume(LeaseLanes::refused);
        };
    }

    /** Nothing of the chunk has happened, unless its outcome is unknown; and some errors are no better one by one. */
    private Mono<List<LeaseAnswer>> ended(Throwable error, List<C> commands) {
        if (error instanceof ProblemException known && GroupCommit.isFinal(known)) {
            LeaseAnswer refused = new LeaseAnswer.Refused(known.problem());
            return Mono.just(commands.stream().map(command -> refused).toList());
        }
        return Flux.fromIterable(commands)
                .flatMapSequential(command -> await(command).onErrorResume(LeaseLanes::refused), LANES)
                .collectList();
    }

    private Mono<LeaseAnswer> await(C command) {
        return waiting.submit(command);
    }

    private Mono<LeaseAnswer> alone(C command) {
        return work.alone(command)
                .retryWhen(Retry.max(RACES).filter(LostRaceException.class::isInstance))
                .onErrorMap(
                        Exceptions::isRetryExhausted,
                        error -> new ProblemException(ProblemCode.BUSY, "the command lost a race; try again"));
    }

    private static Mono<LeaseAnswer> refused(Throwable error) {
        return error instanceof ProblemException known
                ? Mono.just(new LeaseAnswer.Refused(known.problem()))
                : Mono.error(error);
    }

    /** A few at a time, each by itself. */
    private static <T, R> GroupCommit<T, R> oneByOne(Function<T, Mono<R>> run) {
        return new GroupCommit<>(
                new Limits(1, LANES, QUEUED),
                one -> run.apply(one.getFirst()).map(answer -> List.of(new Outcome.Answered<>(answer))),
                run);
    }

    /** As large as a transaction's guards allow. */
    private List<List<C>> chunksOf(List<C> all) {
        List<List<C>> chunks = new ArrayList<>();
        Set<Object> guards = new HashSet<>();
        int from = 0;
        for (int i = 0; i < all.size(); i++) {
            Object guard = work.guard(all.get(i));
            boolean full = guard != null && guards.size() == Guards.MOST && !guards.contains(guard);
            if (full || i - from == CHUNK) {
                chunks.add(all.subList(from, i));
                from = i;
                guards.clear();
            }
            if (guard != null) {
                guards.add(guard);
            }
        }
        if (from < all.size()) {
            chunks.add(all.subList(from, all.size()));
        }
        return chunks;
    }

    private static List<LeaseAnswer> joined(List<List<LeaseAnswer>> chunks) {
        List<LeaseAnswer> all = new ArrayList<>();
        chunks.forEach(all::addAll);
        return all;
    }
}
