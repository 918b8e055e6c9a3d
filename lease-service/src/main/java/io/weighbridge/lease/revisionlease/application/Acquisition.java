package io.weighbridge.lease.revisionlease.application;

import io.weighbridge.lease.revisionlease.domain.LeaseEvent;
import io.weighbridge.lease.revisionlease.domain.LeaseState.Lease;
import io.weighbridge.lease.revisionlease.postgres.LeaseProjection;
import io.weighbridge.lease.revisionlease.postgres.LeaseRows;
import io.weighbridge.lease.revisionlease.postgres.LeaseRows.HolderKey;
import io.weighbridge.lease.revisionlease.postgres.RevisionRows;
import io.weighbridge.lease.revisionlease.postgres.RevisionRows.Seen;
import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.store.GroupCommit.Outcome;
import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.LedgerTransaction;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Acquiring leases under the shared revision guard, many in one transaction. */
final class Acquisition implements LeaseLanes.Work<Acquiring> {

    private final Ledger ledger;
    private final RevisionRows revisions;
    private final LeaseRows rows;
    private final LeaseProjection projection;

    Acquisition(Ledger ledger, RevisionRows revisions, LeaseRows rows, LeaseProjection projection) {
        this.ledger = ledger;
        this.revisions = revisions;
        this.rows = rows;
        this.projection = projection;
    }

    @Override
    public Mono<List<Outcome<LeaseAnswer>>> together(List<Acquiring> commands) {
        Set<RevisionId> wanted =
                commands.stream().map(c -> c.command().revisionId()).collect(Collectors.toSet());
        return ledger.transact(
                Guards.none(),
                tx -> tx.tryGuards(Guards.Mode.SHARED, wanted).flatMap(held -> {
                    List<Acquiring> free = commands.stream()
                            .filter(c -> held.contains(c.command().revisionId()))
                            .toList();
                    return decide(tx, free)
                            .map(answers -> LeaseLanes.outcomes(
                                    commands, c -> held.contains(c.command().revisionId()), answers));
                }));
    }

    @Override
    public Mono<LeaseAnswer> alone(Acquiring command) {
        return ledger.transact(Guards.shared(command.command().revisionId()), tx -> decide(tx, List.of(command)))
                .map(List::getFirst);
    }

    @Override
    public Object guard(Acquiring command) {
        return command.command().revisionId();
    }

    private Mono<List<LeaseAnswer>> decide(LedgerTransaction tx, List<Acquiring> commands) {
        if (commands.isEmpty()) {
            return Mono.just(List.of());
        }
        boolean whole = commands.stream().anyMatch(Acquiring::whole);
        Set<HolderKey> holders = new LinkedHashSet<>();
        Set<RevisionRows.Wanted> wanted = new LinkedHashSet<>();
        for (Acquiring command : commands) {
            holders.add(command.key());
            wanted.add(command.wanted());
        }
        // Both are sent at once; the guards were taken by an earlier statement.
        return Mono.zip(revisions.load(tx, wanted, whole), rows.lockOfHolders(tx, holders))
                .flatMap(loaded -> {
                    LeaseFold<Holder> fold = new LeaseFold<>(loaded.getT2(), Holder::of);
                    List<LeaseAnswer> answers = new ArrayList<>(commands.size());
                    for (Acquiring command : commands) {
                        answers.add(decide(tx, fold, loaded.getT1(), command));
                    }
                    return projection.write(tx, fold.changes()).thenReturn(answers);
                });
    }

    private static LeaseAnswer decide(
            LedgerTransaction tx, LeaseFold<Holder> fold, Map<RevisionId, Seen> revisions, Acquiring acquiring) {
        Seen seen = revisions.get(acquiring.command().revisionId());
        Decision<LeaseEvent> decision = fold.decide(
                new Holder(acquiring.command().revisionId(), acquiring.command().holder()),
                seen == null ? null : seen.revision(),
                acquiring.command(),
                seen == null ? tx.now() : seen.now(),
                acquiring.command().subject());
        return switch (decision) {
            case Decision.Accepted<LeaseEvent>(List<LeaseEvent> events) -> acquired(events.getFirst(), acquiring, seen);
            case Decision.Refused<LeaseEvent>(Problem problem) -> new LeaseAnswer.Refused(problem);
            case Decision.Unchanged<LeaseEvent>() ->
                throw new IllegalStateException("acquiring always gives out a token");
        };
    }

    private static LeaseAnswer acquired(LeaseEvent event, Acquiring acquiring, @Nullable Seen seen) {
        Lease lease = event.after();
        if (lease == null) {
            throw new IllegalStateException("acquiring ended a lease");
        }
        return new LeaseAnswer.Acquired(
                lease,
                acquiring.token(),
                event instanceof LeaseEvent.Reissued,
                acquiring.whole() && seen != null ? seen.view() : null);
    }

    /** What is unique among lease rows. */
    private record Holder(RevisionId revisionId, String holder) {

        static Holder of(Lease lease) {
            return new Holder(lease.revisionId(), lease.holder());
        }
    }
}
