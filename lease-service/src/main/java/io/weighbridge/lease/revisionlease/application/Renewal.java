package io.weighbridge.lease.revisionlease.application;

import io.weighbridge.lease.revisionlease.domain.LeaseCommand.Renew;
import io.weighbridge.lease.revisionlease.domain.LeaseEvent;
import io.weighbridge.lease.revisionlease.domain.LeaseState.Lease;
import io.weighbridge.lease.revisionlease.postgres.LeaseProjection;
import io.weighbridge.lease.revisionlease.postgres.LeaseRows;
import io.weighbridge.lease.revisionlease.postgres.LeaseRows.Guarded;
import io.weighbridge.lease.revisionlease.postgres.LeaseRows.LeaseAndRevision;
import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.store.GroupCommit.Outcome;
import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.LedgerTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import reactor.core.publisher.Mono;

/** Renewing leases under the shared revision guard, many in one transaction. */
final class Renewal implements LeaseLanes.Work<Renew> {

    /** Renewals are not logged; nobody reads this. */
    private static final String UNLOGGED = "";

    private final Ledger ledger;
    private final LeaseRows rows;
    private final LeaseProjection projection;

    Renewal(Ledger ledger, LeaseRows rows, LeaseProjection projection) {
        this.ledger = ledger;
        this.rows = rows;
        this.projection = projection;
    }

    @Override
    public Mono<List<Outcome<LeaseAnswer>>> together(List<Renew> commands) {
        Set<UUID> leases = commands.stream().map(Renew::leaseId).collect(Collectors.toSet());
        return ledger.transact(
                Guards.none(),
                tx -> rows.tryGuards(tx, leases)
                        .filter(guarded -> !guarded.held())
                        .map(Guarded::leaseId)
                        .collect(Collectors.toSet())
                        .flatMap(contended -> {
                            List<Renew> free = commands.stream()
                                    .filter(c -> !contended.contains(c.leaseId()))
                                    .toList();
                            return decide(tx, free)
                                    .map(answers -> LeaseLanes.outcomes(
                                            commands, c -> !contended.contains(c.leaseId()), answers));
                        }));
    }

    @Override
    public Mono<LeaseAnswer> alone(Renew command) {
        return rows.revisionOf(command.leaseId())
                .map(Guards::shared)
                .defaultIfEmpty(Guards.none())
                .flatMap(guards -> ledger.transact(guards, tx -> decide(tx, List.of(command))))
                .map(List::getFirst);
    }

    /** The revision is not known yet; each lease may be on another one. */
    @Override
    public Object guard(Renew command) {
        return command.leaseId();
    }

    private Mono<List<LeaseAnswer>> decide(LedgerTransaction tx, List<Renew> commands) {
        if (commands.isEmpty()) {
            return Mono.just(List.of());
        }
        Set<UUID> leases = commands.stream().map(Renew::leaseId).collect(Collectors.toSet());
        return rows.lockWithRevisions(tx, leases)
                .collectMap(row -> row.lease().leaseId())
                .flatMap(loaded -> {
                    LeaseFold<UUID> fold = new LeaseFold<>(
                            loaded.values().stream()
                                    .map(LeaseAndRevision::lease)
                                    .toList(),
                            Lease::leaseId);
                    List<LeaseAnswer> answers = new ArrayList<>(commands.size());
                    for (Renew command : commands) {
                        answers.add(decide(tx, fold, loaded, command));
                    }
                    return projection.write(tx, fold.changes()).thenReturn(answers);
                });
    }

    private static LeaseAnswer decide(
            LedgerTransaction tx, LeaseFold<UUID> fold, Map<UUID, LeaseAndRevision> loaded, Renew command) {
        LeaseAndRevision row = loaded.get(command.leaseId());
        Decision<LeaseEvent> decision = fold.decide(
                command.leaseId(),
                row == null ? null : row.revision(),
                command,
                row == null ? tx.now() : row.now(),
                UNLOGGED);
        return switch (decision) {
            case Decision.Refused<LeaseEvent>(Problem problem) -> new LeaseAnswer.Refused(problem);
            case Decision.Accepted<LeaseEvent> accepted -> renewed(fold, command);
            case Decision.Unchanged<LeaseEvent>() -> renewed(fold, command);
        };
    }

    private static LeaseAnswer renewed(LeaseFold<UUID> fold, Renew command) {
        return new LeaseAnswer.Renewed(Objects.requireNonNull(fold.current(command.leaseId())));
    }
}
