package io.weighbridge.reconciliation.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.reconciliation.work.domain.Backoff;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {

    private final Backoff backoff = new Backoff(Duration.ofMillis(250), Duration.ofSeconds(60));

    @Test
    void doublesUpToTheLimit() {
        assertThat(backoff.after(1, 1)).isEqualTo(Duration.ofMillis(250));
        assertThat(backoff.after(2, 1)).isEqualTo(Duration.ofMillis(500));
        assertThat(backoff.after(5, 1)).isEqualTo(Duration.ofSeconds(4));
        assertThat(backoff.after(9, 1)).isEqualTo(Duration.ofSeconds(60));
        assertThat(backoff.after(Integer.MAX_VALUE, 1)).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void spreadsOverTheUpperHalf() {
        assertThat(backoff.after(2, 0)).isEqualTo(Duration.ofMillis(250));
        assertThat(backoff.after(2, 0.5)).isEqualTo(Duration.ofMillis(375));
    }
}
