package io.weighbridge.agent.registration.application;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The database's clock as seen from here (spec 2.3). It never runs behind the database: its time is the answered one
 * plus everything that has passed since before the question was sent. So what it calls valid is valid.
 */
public final class LedgerClock {

    private final LongSupplier nanoTime;
    private volatile @Nullable Sample sample;

    private record Sample(Instant databaseTime, long askedAt) {}

    /** @param nanoTime a monotonic clock such as {@link System#nanoTime} */
    public LedgerClock(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** What {@link #answered} needs to know of the moment before the question. */
    public long asking() {
        return nanoTime.getAsLong();
    }

    /** The database told its time in answer to a question that was sent after {@code askedAt}. */
    public void answered(Instant databaseTime, long askedAt) {
        sample = new Sample(databaseTime, askedAt);
    }

    /**
     * The latest that the database's time can be.
     *
     * @throws ProblemException UNAVAILABLE before the first answer
     */
    public Instant now() {
        Sample latest = sample;
        if (latest == null) {
            throw new ProblemException(ProblemCode.UNAVAILABLE, "the agent has not registered yet");
        }
        return latest.databaseTime.plusNanos(nanoTime.getAsLong() - latest.askedAt);
    }

    /** How long until the instant; not positive when it has come. */
    public Duration until(Instant instant) {
        return Duration.between(now(), instant);
    }

    public boolean hasCome(Instant instant) {
        return !now().isBefore(instant);
    }
}
