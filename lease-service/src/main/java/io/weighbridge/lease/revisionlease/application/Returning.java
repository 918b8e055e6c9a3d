package io.weighbridge.lease.revisionlease.application;

import io.weighbridge.lease.revisionlease.domain.LeaseCommand.Return;
import io.weighbridge.lease.revisionlease.domain.LeaseEvent;
import io.weighbridge.lease.revisionlease.domain.LeaseState.Lease;
import io.weighbridge.lease.revisionlease.postgres.LeaseProjection;
import io.weighbridge.lease.revisionlease.postgres.LeaseRows;
import io.weighbridge.ledger.decision.Decision;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.store.GroupCommit.Outcome;
import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.Ledger;
import io.weighbridge.ledger.store.LedgerTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Returning leases, many in one transaction. It only frees, so it needs no guard. */
final class Returning implements LeaseLanes.Work<Return> {

    private final Ledger ledger;
    private final LeaseRows rows;
    private final LeaseProjection projection;

    Returning(Ledger ledger, LeaseRows rows, LeaseProjection projection) {
        this.ledger = ledger;
        this.rows = rows;
        this.projection = projection;
    }

    @Override
    public Mono<List<Outcome<LeaseAnswer>>> together(List<Return> commands) {
        return ledger.transact(Guards.none(), tx -> decide(tx, commands))
                .map(answers -> LeaseLanes.outcomes(commands, c -> true, answers));
    }

    @Override
    public Mono<LeaseAnswer> alone(Return command) {
        return ledger.transact(Guards.none(), tx -> decide(tx, List.of(command)))
                .map(List::getFirst);
    }

    @Override
    public @Nullable Object guard(Return command) {
        return null;
    }

    private Mono<List<LeaseAnswer>> decide(LedgerTransaction tx, List<Return> commands) {
        Set<UUID> leases = commands.stream().map(Return::leaseId).collect(Collectors.toSet());
        return rows.lock(tx, leases).collectList().flatMap(locked -> {
            LeaseFold<UUID> fold = new LeaseFold<>(locked, Lease::leaseId);
            List<LeaseAnswer> answers = new ArrayList<>(commands.size());
            for (Return command : commands) {
                Decision<LeaseEvent> decision =
                        fold.decide(command.leaseId(), null, command, tx.now(), command.subject());
                answers.add(answer(decision));
            }
            return projection.write(tx, fold.changes()).thenReturn(answers);
        });
    }

    private static LeaseAnswer answer(Decision<LeaseEvent> decision) {
        return switch (decision) {
            case Decision.Accepted<LeaseEvent> accepted -> new LeaseAnswer.Returned();
            case Decision.Unchanged<LeaseEvent>() -> new LeaseAnswer.Returned();
            case Decision.Refused<LeaseEvent>(Problem problem) -> new LeaseAnswer.Refused(problem);
        };
    }
}
