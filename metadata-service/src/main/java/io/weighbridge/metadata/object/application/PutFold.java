package io.weighbridge.metadata.object.application;

import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.store.GroupCommit.Outcome;
import io.weighbridge.ledger.store.Randomness;
import io.weighbridge.ledger.token.Secret;
import io.weighbridge.metadata.object.domain.Allocator;
import io.weighbridge.metadata.object.domain.Attempt;
import io.weighbridge.metadata.object.domain.Content;
import io.weighbridge.metadata.object.domain.Copy;
import io.weighbridge.metadata.object.domain.Membership;
import io.weighbridge.metadata.object.domain.Put;
import io.weighbridge.metadata.object.domain.PutBook;
import io.weighbridge.metadata.object.domain.PutCommand;
import io.weighbridge.metadata.object.domain.PutDecider;
import io.weighbridge.metadata.object.domain.PutEvent;
import io.weighbridge.metadata.object.domain.PutRefusal;
import io.weighbridge.metadata.object.domain.Room;
import io.weighbridge.metadata.object.domain.Stored;
import io.weighbridge.metadata.object.postgres.MemberRows;
import io.weighbridge.metadata.object.postgres.PlaceRows;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides a batch's requests in arrival order on what was loaded. It reads and writes nothing. */
final class PutFold {

    private final ObjectSettings settings;
    private final PutLoad.Loaded loaded;
    private final PutBook book;
    private final Instant now;

    PutFold(ObjectSettings settings, PutLoad.Loaded loaded) {
        this.settings = settings;
        this.loaded = loaded;
        this.book = loaded.book();
        this.now = book.now();
    }

    /** A request whose guard is not held waits for it in a transaction of its own. */
    Outcome<PutAnswer> answer(PutRequest request) {
        Optional<RevisionId> guard = loaded.targets().guard(request);
        if (guard.isPresent() && !loaded.held().contains(guard.get())) {
            return new Outcome.Contended<>();
        }
        return switch (request) {
            case PutRequest.Start start -> answered(start(start));
            case PutRequest.End end -> guarded(end.objectId(), () -> end(end));
            case PutRequest.Revoke revoke ->
                guarded(
                        revoke.objectId(),
                        () -> apply(
                                revoke.objectId(),
                                new PutCommand.Revoke(Secret.hash(revoke.writeToken())),
                                revoke.subject()));
            case PutRequest.Housekeeping keeping ->
                guarded(keeping.objectId(), () -> apply(keeping.objectId(), keeping.command(), keeping.subject()));
            case PutRequest.Report report -> answered(report(report));
        };
    }

    private static Outcome<PutAnswer> answered(PutAnswer answer) {
        return new Outcome.Answered<>(answer);
    }

    /** The object may have become a member after its guard was looked up. */
    private Outcome<PutAnswer> guarded(String objectId, Supplier<PutAnswer> decision) {
        RevisionId owner =
                book.find(objectId).map(Put::content).map(Content::revisionId).orElse(null);
        return owner == null || loaded.held().contains(owner) ? answered(decision.get()) : new Outcome.Contended<>();
    }

    private PutAnswer start(PutRequest.Start start) {
        Put put = book.put(start.tenantId(), start.key(), start.objectId());
        UUID putId = Randomness.id();
        Attempt unsigned = new Attempt(
                putId,
                start.wanted().revisionId(),
                null,
                start.subject(),
                "",
                Attempt.State.PENDING,
                now,
                now.plus(settings.tokenLife(start.wanted().size())));
        PutCommand.Start command = command(start, unsigned, List.of());
        Optional<PutRefusal> refusal = PutDecider.refusesStart(put, command, now);
        if (refusal.isPresent()) {
            return new PutAnswer.Refused(refusal.get().problem());
        }
        List<Room> rooms = Allocator.allocate(
                book.rooms(),
                start.wanted().size(),
                start.copies(),
                start.preferredNode(),
                putId.getLeastSignificantBits());
        if (rooms.isEmpty()) {
            return new PutAnswer.Refused(PutRefusal.NO_ROOM.problem());
        }
        List<Copy> copies = rooms.stream()
                .map(room -> Copy.reserved(
                        Randomness.id(), putId, null, room, start.wanted().size(), now))
                .toList();
        String token = WriteTokens.sign(put, start.wanted().type(), unsigned, copies, loaded.keys());
        Attempt attempt = WriteTokens.withHash(unsigned, token);
        return switch (book.apply(put, command(start, attempt, copies), start.subject())) {
            case Decision.Accepted<PutEvent> accepted ->
                new PutAnswer.Started(token, WriteTokens.targets(copies, rooms));
            case Decision.Unchanged<PutEvent>() -> throw new IllegalStateException("a start is never unchanged");
            case Decision.Refused<PutEvent>(Problem problem) -> new PutAnswer.Refused(problem);
        };
    }

    private PutCommand.Start command(PutRequest.Start start, Attempt attempt, List<Copy> copies) {
        Membership membership = membership(start.wanted().revisionId(), start.tenantId());
        return new PutCommand.Start(
                start.wanted(),
                settings.preemptAfter(),
                start.managed(),
                membership,
                start.importToken(),
                attempt,
                copies);
    }

    private @Nullable Membership membership(@Nullable RevisionId revision, String tenantId) {
        MemberRows.Owner owner = revision == null ? null : loaded.owners().get(revision);
        return owner != null && owner.membership().tenantId().equals(tenantId) ? owner.membership() : null;
    }

    private PutAnswer end(PutRequest.End end) {
        Optional<Put> put = book.find(end.objectId());
        if (put.isEmpty()) {
            return new PutAnswer.Refused(PutRefusal.TOKEN_DEAD.problem());
        }
        Content content = put.get().content();
        Membership membership = content == null
                ? null
                : membership(content.revisionId(), put.get().tenantId());
        return apply(
                end.objectId(),
                new PutCommand.End(
                        Secret.hash(end.writeToken()),
                        end.size(),
                        end.digest(),
                        loaded.versions().pop(),
                        membership,
                        end.importToken()),
                end.subject());
    }

    private PutAnswer apply(String objectId, PutCommand command, String subject) {
        Optional<Put> put = book.find(objectId);
        if (put.isEmpty()) {
            return new PutAnswer.Refused(PutRefusal.TOKEN_DEAD.problem());
        }
        return switch (book.apply(put.get(), command, subject)) {
            case Decision.Accepted<PutEvent> accepted -> done(objectId);
            case Decision.Unchanged<PutEvent>() -> done(objectId);
            case Decision.Refused<PutEvent>(Problem problem) -> new PutAnswer.Refused(problem);
        };
    }

    private PutAnswer done(String objectId) {
        Content content = book.find(objectId).map(Put::content).orElse(null);
        return content == null || !content.isCommitted()
                ? new PutAnswer.Done(null, null, null)
                : new PutAnswer.Done(content.objectVersion(), content.size(), content.digest());
    }

    private PutAnswer report(PutRequest.Report report) {
        PlaceRows.Registration node = loaded.registrations().get(report.nodeId());
        if (node == null) {
            return refused(ProblemCode.NOT_FOUND, "no such node; register first");
        }
        if (!node.subject().equals(report.subject())) {
            return refused(ProblemCode.PERMISSION_DENIED, "another subject has registered this node");
        }
        if (!node.agentIncarnation().equals(report.agentIncarnation())) {
            return refused(ProblemCode.STALE_INCARNATION, "a newer start of this agent has registered");
        }
        String objectId = loaded.targets().objectId(report);
        String hash = report.writeToken() == null ? "" : Secret.hash(report.writeToken());
        PutCommand command = command(report, hash);
        if (objectId == null || book.find(objectId).isEmpty()) {
            return unknown(report.what());
        }
        return apply(objectId, command, report.subject());
    }

    private PutCommand command(PutRequest.Report report, String hash) {
        UUID replica = report.replicaId();
        return switch (report.what()) {
            case PutRequest.What.Opened() -> new PutCommand.Open(replica, hash);
            case PutRequest.What.AllStored(long size, String digest, List<Long> crc32c) ->
                new PutCommand.Store(replica, hash, new Stored(now, size, digest, crc32c), activeOperation(replica));
            case PutRequest.What.Closed() -> new PutCommand.Close(replica);
            case PutRequest.What.Corrupt() -> new PutCommand.Condemn(replica);
            case PutRequest.What.Freed() -> new PutCommand.Free(replica);
        };
    }

    private @Nullable UUID activeOperation(UUID replicaId) {
        RevisionId revision = Optional.ofNullable(loaded.targets().copies().get(replicaId))
                .map(address -> address.revisionId())
                .orElse(null);
        MemberRows.Owner owner = revision == null ? null : loaded.owners().get(revision);
        return owner == null ? null : owner.operationId();
    }

    /** The agent repeats until it is answered, so what is gone already is success. */
    private static PutAnswer unknown(PutRequest.What what) {
        return switch (what) {
            case PutRequest.What.Opened() -> new PutAnswer.Refused(PutRefusal.TOKEN_DEAD.problem());
            case PutRequest.What.AllStored stored -> new PutAnswer.Refused(PutRefusal.TOKEN_DEAD.problem());
            case PutRequest.What.Closed() -> new PutAnswer.Done(null, null, null);
            case PutRequest.What.Corrupt() -> new PutAnswer.Done(null, null, null);
            case PutRequest.What.Freed() -> new PutAnswer.Done(null, null, null);
        };
    }

    private static PutAnswer refused(ProblemCode code, String detail) {
        return new PutAnswer.Refused(Problem.of(code, detail));
    }

    /** The revisions whose imports these events are a sign of life of. */
    static List<RevisionId> written(PutBook book) {
        return book.happened().stream()
                .filter(happened -> happened.event() instanceof PutEvent.PutStarted
                        || happened.event() instanceof PutEvent.ObjectCommitted)
                .map(happened -> happened.after().content())
                .flatMap(content -> Optional.ofNullable(content).stream())
                .flatMap(content -> Optional.ofNullable(content.revisionId()).stream())
                .distinct()
                .toList();
    }
}
