package io.weighbridge.client.weights;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Repeats calls whose refusal says that a retry may help. Every call that is repeated here is safe to repeat: by
 * generation, holder or write token (spec 5.1).
 */
final class Patience {

    private static final Set<ProblemCode> PASSING = Set.of(
            ProblemCode.BUSY,
            ProblemCode.UNAVAILABLE,
            ProblemCode.RATE_LIMITED,
            ProblemCode.DEADLINE_EXCEEDED,
            ProblemCode.DURABILITY_FAILED);

    /** Eight attempts, from 0.1 s doubling to 5 s apart: about 13 s in all, longer than a restart of the ledger. */
    private static final Retry RETRY = Retry.of(
            "weighbridge",
            RetryConfig.custom()
                    .maxAttempts(8)
                    .intervalFunction(IntervalFunction.ofExponentialRandomBackoff(
                            Duration.ofMillis(100), 2, 0.3, Duration.ofSeconds(5)))
                    .retryOnException(Patience::isPassing)
                    .build());

    private Patience() {}

    static <T> T with(Supplier<T> call) {
        return RETRY.executeSupplier(call);
    }

    static boolean isPassing(Throwable error) {
        return error instanceof ProblemException refusal
                && PASSING.contains(refusal.problem().code());
    }
}
