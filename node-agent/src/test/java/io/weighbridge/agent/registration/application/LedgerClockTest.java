package io.weighbridge.agent.registration.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weighbridge.ledger.problem.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LedgerClockTest {

    private static final Instant DATABASE = Instant.parse("2026-01-01T00:00:00Z");

    private final AtomicLong nanos = new AtomicLong(-500);
    private final LedgerClock clock = new LedgerClock(nanos::get);

    @Test
    void neverRunsBehindTheDatabase() {
        long asked = clock.asking();
        nanos.addAndGet(Duration.ofMillis(30).toNanos());
        clock.answered(DATABASE, asked);
        // The database may have answered at once, and its clock has gone on for 30 ms since.
        assertThat(clock.now()).isEqualTo(DATABASE.plusMillis(30));
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        assertThat(clock.now()).isEqualTo(DATABASE.plusMillis(5030));
        assertThat(clock.until(DATABASE.plusSeconds(6))).isEqualTo(Duration.ofMillis(970));
        assertThat(clock.hasCome(DATABASE.plusMillis(5030))).isTrue();
        assertThat(clock.hasCome(DATABASE.plusMillis(5031))).isFalse();
    }

    @Test
    void followsTheDatabaseWhenItSteps() {
        clock.answered(DATABASE, clock.asking());
        nanos.addAndGet(1_000_000_000L);
        clock.answered(DATABASE.plusSeconds(100), clock.asking());
        assertThat(clock.now()).isEqualTo(DATABASE.plusSeconds(100));
        clock.answered(DATABASE.minusSeconds(5), clock.asking());
        assertThat(clock.now()).isEqualTo(DATABASE.minusSeconds(5));
    }

    @Test
    void knowsNothingBeforeTheFirstAnswer() {
        assertThatExceptionOfType(ProblemException.class).isThrownBy(clock::now);
    }
}
