package io.weighbridge.metadata.object.application;

import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.LedgerTransaction;
import io.weighbridge.metadata.object.domain.Content;
import io.weighbridge.metadata.object.domain.Copy;
import io.weighbridge.metadata.object.domain.Put;
import io.weighbridge.metadata.object.domain.PutBook;
import io.weighbridge.metadata.object.domain.PutCommand;
import io.weighbridge.metadata.object.domain.PutDecider;
import io.weighbridge.metadata.object.domain.PutEvent;
import io.weighbridge.metadata.object.domain.PutRefusal;
import io.weighbridge.metadata.object.postgres.ObjectReads;
import io.weighbridge.metadata.object.postgres.PlaceRows;
import io.weighbridge.metadata.object.postgres.PutProjection;
import io.weighbridge.metadata.object.postgres.PutRows;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Removes unmanaged objects; what shares a group goes all together or not at all (spec 2.4). */
public final class Removal {

    private final Ledger ledger;
    private final PutRows puts = new PutRows();
    private final PlaceRows places = new PlaceRows();
    private final ObjectReads reads = new ObjectReads();
    private final PutProjection projection = new PutProjection();

    public Removal(Ledger ledger) {
        this.ledger = ledger;
    }

    /**
     * Retires every copy of the objects, and of all that share a group with them.
     *
     * @param force also pinned ones
     * @return one answer for each object, in their order
     */
    public Mono<List<PutAnswer>> remove(List<String> objectIds, boolean force, String subject) {
        return ledger.transact(
                Guards.none(),
                tx -> reads.groups(tx::sql, objectIds).flatMap(groups -> {
                    Set<String> all = new TreeSet<>(objectIds);
                    groups.values().forEach(all::addAll);
                    return puts.lock(tx::sql, all)
                            .flatMap(locked -> remove(tx, objectIds, groups, locked, force, subject));
                }));
    }

    private Mono<List<PutAnswer>> remove(
            LedgerTransaction tx,
            List<String> objectIds,
            Map<String, List<String>> groups,
            List<Put> locked,
            boolean force,
            String subject) {
        Set<UUID> segments = locked.stream()
                .flatMap(put -> put.copies().stream())
                .map(Copy::segmentId)
                .collect(Collectors.toSet());
        return places.lock(tx::sql, segments, PlaceRows.Mode.KEEP_EPOCH).flatMap(found -> {
            PutBook book = new PutBook(tx.now(), locked, found, node -> false);
            PutCommand command = new PutCommand.Remove(force);
            Set<String> removed = new HashSet<>();
            List<PutAnswer> answers = new ArrayList<>(objectIds.size());
            for (String id : objectIds) {
                List<String> unit = groups.getOrDefault(id, List.of(id));
                PutAnswer answer = removed.contains(id) ? done(book, id) : answer(book, id, unit, command, subject);
                if (answer instanceof PutAnswer.Done) {
                    removed.addAll(unit);
                }
                answers.add(answer);
            }
            return projection.write(tx::sql, book).thenReturn(answers);
        });
    }

    private static PutAnswer answer(PutBook book, String id, List<String> unit, PutCommand command, String subject) {
        Optional<Put> put = book.find(id);
        Content content = put.map(Put::content).orElse(null);
        if (put.isEmpty() || content == null) {
            return new PutAnswer.Refused(PutRefusal.ABSENT.problem());
        }
        Problem own = refusal(book, put.get(), command);
        if (own != null) {
            return new PutAnswer.Refused(own);
        }
        for (String member : unit) {
            Problem other = book.find(member)
                    .map(found -> refusal(book, found, command))
                    .filter(problem -> problem.code() != ProblemCode.NOT_FOUND)
                    .orElse(null);
            if (other != null) {
                return new PutAnswer.Refused(other);
            }
        }
        for (String member : unit) {
            book.find(member).ifPresent(found -> book.apply(found, command, subject));
        }
        return done(book, id);
    }

    private static PutAnswer done(PutBook book, String id) {
        Content content = book.find(id).map(Put::content).orElse(null);
        return content == null
                ? new PutAnswer.Done(null, null, null)
                : new PutAnswer.Done(content.objectVersion(), content.size(), content.digest());
    }

    private static @Nullable Problem refusal(PutBook book, Put put, PutCommand command) {
        return switch (PutDecider.decide(put, command, book.now())) {
            case Decision.Refused<PutEvent>(Problem problem) -> problem;
            case Decision.Unchanged<PutEvent>() -> null;
            case Decision.Accepted<PutEvent> accepted -> null;
        };
    }
}
