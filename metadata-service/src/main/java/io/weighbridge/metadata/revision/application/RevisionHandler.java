package io.weighbridge.metadata.revision.application;

import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.key.CanonicalKeys;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.metadata.idempotency.IdempotencyKey;
import io.weighbridge.metadata.idempotency.IdempotentCommands;
import io.weighbridge.metadata.revision.domain.Circumstances;
import io.weighbridge.metadata.revision.domain.Members;
import io.weighbridge.metadata.revision.domain.Operation;
import io.weighbridge.metadata.revision.domain.Revision;
import io.weighbridge.metadata.revision.domain.Revision.Registered;
import io.weighbridge.metadata.revision.domain.RevisionCommand;
import io.weighbridge.metadata.revision.domain.RevisionDecider;
import io.weighbridge.metadata.revision.domain.RevisionEvent;
import io.weighbridge.metadata.revision.postgres.RevisionTable;
import io.weighbridge.metadata.revision.postgres.RevisionTable.Loaded;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Runs every command on revisions: guard, load, decide, write, one commit. */
public final class RevisionHandler {

    private final Ledger ledger;
    private final RevisionTable store;
    private final MemberPuts puts;
    private final IdempotentCommands idempotent;
    private final OplogCapability capability;

    public RevisionHandler(
            Ledger ledger,
            RevisionTable store,
            MemberPuts puts,
            IdempotentCommands idempotent,
            OplogCapability capability) {
        this.ledger = ledger;
        this.store = store;
        this.puts = puts;
        this.idempotent = idempotent;
        this.capability = capability;
    }

    /**
     * Who asks.
     *
     * @param tenantId whose revisions are in reach; null: everybody's, for services of this system
     * @param subject as the oplog records it
     */
    public record Actor(@Nullable String tenantId, String subject) {}

    /**
     * How a command ended.
     *
     * @param revision as it is now
     * @param operation the one that the command concerns or that is active; null without one
     * @param changed false: what was asked for was already so
     * @param created the revision did not exist before
     */
    public record Outcome(Registered revision, @Nullable Operation operation, boolean changed, boolean created) {

        static Outcome unchanged(Registered revision, @Nullable Operation operation) {
            return new Outcome(revision, operation, false, false);
        }
    }

    /** A repetition of what was accepted before gets the same outcome. */
    public record Once(IdempotencyKey key, String digest) {

        /** @param command what is asked, without its fence */
        public static Once of(IdempotencyKey key, String command, String argument) {
            return new Once(key, CanonicalKeys.objectId(command, argument));
        }
    }

    /** What is kept of an accepted command. */
    record Kept(String revisionId, @Nullable UUID operationId) {}

    /** @return the outcome after the commit; a refusal is an error signal */
    public Mono<Outcome> handle(Actor actor, RevisionId id, RevisionCommand command) {
        return handle(actor, id, command, null);
    }

    /** @param once null: the caller sent no Idempotency-Key */
    public Mono<Outcome> handle(Actor actor, RevisionId id, RevisionCommand command, @Nullable Once once) {
        Optional<Problem> closed = capability.refuses();
        if (closed.isPresent()) {
            return Mono.error(new ProblemException(closed.get()));
        }
        if (once == null) {
            return ledger.transact(guards(id, command), tx -> run(tx, actor, id, command));
        }
        return ledger.transact(guards(id, command), tx -> {
            AtomicReference<Outcome> fresh = new AtomicReference<>();
            Mono<Kept> work = run(tx, actor, id, command).doOnNext(fresh::set).map(RevisionHandler::kept);
            return idempotent
                    .once(tx, once.key(), once.digest(), Kept.class, work)
                    .flatMap(kept -> {
                        Outcome outcome = fresh.get();
                        return outcome != null ? Mono.just(outcome) : repeated(tx, actor, kept);
                    });
        });
    }

    /** A heartbeat changes a row of its own, so it needs to exclude nobody but commands. */
    private static Guards guards(RevisionId id, RevisionCommand command) {
        return command instanceof RevisionCommand.HeartbeatImport ? Guards.shared(id) : Guards.exclusive(id);
    }

    private Mono<Outcome> run(LedgerTransaction tx, Actor actor, RevisionId id, RevisionCommand command) {
        return store.load(tx, id, actor.tenantId())
                .flatMap(loaded -> members(tx, loaded, command).flatMap(members -> {
                    Circumstances seen = new Circumstances(tx.now(), loaded.leased(), members);
                    return switch (RevisionDecider.decide(loaded.revision(), command, seen)) {
                        case Decision.Accepted<RevisionEvent>(var events) ->
                            accept(tx, actor, loaded.revision(), events);
                        case Decision.Unchanged<RevisionEvent>() -> Mono.just(unchanged(loaded.revision()));
                        case Decision.Refused<RevisionEvent>(var problem) -> Mono.error(new ProblemException(problem));
                    };
                }));
    }

    private Mono<Members> members(LedgerTransaction tx, Loaded loaded, RevisionCommand command) {
        return switch (loaded.revision()) {
            case Revision.NoRevision() -> Mono.just(Members.NONE);
            case Registered revision -> store.members(tx, revision, command);
        };
    }

    private Mono<Outcome> accept(LedgerTransaction tx, Actor actor, Revision before, List<RevisionEvent> events) {
        Registered after = registered(Revision.after(before, events));
        Mono<Void> revoke =
                events.stream().anyMatch(RevisionHandler::endsPuts) ? puts.revokePending(tx, after.id()) : Mono.empty();
        return revoke.then(store.write(tx, before, after, events, actor.subject()))
                .map(touched ->
                        new Outcome(after, concerned(after, touched), true, before instanceof Revision.NoRevision));
    }

    /** No byte of a put that was begun before may enter the group afterwards. */
    private static boolean endsPuts(RevisionEvent event) {
        return switch (event) {
            case RevisionEvent.ImportTakenOver _,
                    RevisionEvent.ImportAborted _,
                    RevisionEvent.OperationSuperseded _,
                    RevisionEvent.OperationFinished _,
                    RevisionEvent.OperationCancelled _,
                    RevisionEvent.DeleteStarted _ -> true;
            case RevisionEvent.ImportBegun _,
                    RevisionEvent.ImportHeartbeatSeen _,
                    RevisionEvent.ImportCommitted _,
                    RevisionEvent.OperationStarted _,
                    RevisionEvent.OperationProgressed _,
                    RevisionEvent.OperationClaimed _,
                    RevisionEvent.PlacementSet _,
                    RevisionEvent.RevisionObserved _,
                    RevisionEvent.DeleteFinished _ -> false;
        };
    }

    private static Outcome unchanged(Revision revision) {
        Registered found = registered(revision);
        return Outcome.unchanged(found, found.operation());
    }

    private static @Nullable Operation concerned(Registered after, List<Operation> touched) {
        Operation active = after.operation();
        return active != null || touched.isEmpty() ? active : touched.getLast();
    }

    private static Registered registered(Revision revision) {
        return switch (revision) {
            case Revision.NoRevision() -> throw new IllegalStateException("accepted, and yet there is no revision");
            case Registered found -> found;
        };
    }

    private static Kept kept(Outcome outcome) {
        Operation operation = outcome.operation();
        return new Kept(outcome.revision().id().hex(), operation == null ? null : operation.operationId());
    }

    private Mono<Outcome> repeated(LedgerTransaction tx, Actor actor, Kept kept) {
        return store.load(tx, new RevisionId(kept.revisionId()), actor.tenantId())
                .flatMap(loaded -> {
                    if (!(loaded.revision() instanceof Registered revision)) {
                        return Mono.error(new ProblemException(ProblemCode.NOT_FOUND, "there is no such revision"));
                    }
                    UUID operationId = kept.operationId();
                    return operationId == null
                            ? Mono.just(Outcome.unchanged(revision, null))
                            : store.operation(tx, operationId).map(operation -> Outcome.unchanged(revision, operation));
                });
    }
}
