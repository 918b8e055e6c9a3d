package io.weighbridge.reconciliation.revision.application;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.reconciliation.revision.domain.Action;
import io.weighbridge.reconciliation.revision.domain.Plan;
import io.weighbridge.reconciliation.revision.domain.Planner;
import io.weighbridge.reconciliation.work.application.Look;
import io.weighbridge.reconciliation.work.domain.Claim;
import io.weighbridge.reconciliation.work.domain.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** Reads what is so, plans, acts, and looks again as long as there is something to do at once. */
final class RevisionLook implements Look {

    private static final Logger LOG = LoggerFactory.getLogger(RevisionLook.class);

    /** Rounds of one claim; then others have their turn. */
    private static final int ROUNDS = 16;

    private final Sights sights;
    private final Planner planner;
    private final Acting acting;

    RevisionLook(Sights sights, Planner planner, Acting acting) {
        this.sights = sights;
        this.planner = planner;
        this.acting = acting;
    }

    @Override
    public Mono<Outcome> at(Claim claim) {
        return round(claim, ROUNDS, List.of()).onErrorResume(RevisionLook::isGone, _ -> Mono.just(Outcome.settled()));
    }

    private Mono<Outcome> round(Claim claim, int left, List<Action> before) {
        return sights.take(claim.revision()).flatMap(sight -> {
            Plan plan = planner.plan(sight.situation(), sight.at());
            if (plan.actions().isEmpty()) {
                return Mono.just(outcome(plan, sight.at()));
            }
            if (plan.actions().equals(before)) {
                return Mono.just(Outcome.failed("what was done has changed nothing"));
            }
            LOG.debug("revision {}: {}", claim.revision(), plan.actions());
            return acting.act(sight, claim, plan.actions()).then(Mono.defer(() -> next(claim, left, plan, sight)));
        });
    }

    private Mono<Outcome> next(Claim claim, int left, Plan plan, Sight sight) {
        Instant again = plan.lookAgainAt();
        boolean atOnce = again != null && !again.isAfter(sight.at());
        if (!atOnce) {
            return Mono.just(outcome(plan, sight.at()));
        }
        return left > 1 ? round(claim, left - 1, plan.actions()) : Mono.just(Outcome.lookAgain(Duration.ZERO));
    }

    private static Outcome outcome(Plan plan, Instant now) {
        Instant again = plan.lookAgainAt();
        return again == null ? Outcome.settled() : Outcome.lookAgain(Duration.between(now, again));
    }

    private static boolean isGone(Throwable error) {
        return error instanceof ProblemException problem && problem.problem().code() == ProblemCode.NOT_FOUND;
    }
}
