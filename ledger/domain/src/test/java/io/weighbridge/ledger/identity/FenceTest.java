package io.weighbridge.ledger.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.ledger.problem.ProblemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FenceTest {

    /** Adjacent: the current generation is the expected one or the next (spec 1.5). */
    @ParameterizedTest
    @CsvSource({
        // expected, current, matches, adjacent
        "5, 3, false, false",
        "5, 4, false, false",
        "5, 5, true,  true",
        "5, 6, false, true",
        "5, 7, false, false",
        "1, 1, true,  true",
        "1, 2, false, true",
        "9007199254740991, 9007199254740991, true, true",
        "9007199254740991, 9007199254740990, false, false",
        "9007199254740990, 9007199254740991, false, true"
    })
    void exactly(long expected, long current, boolean matches, boolean adjacent) {
        Fence fence = Fence.exactly(expected);
        assertThat(fence.matches(current)).isEqualTo(matches);
        assertThat(fence.isAdjacent(current)).isEqualTo(adjacent);
        assertThat(fence).hasToString(Long.toString(expected));
    }

    @Test
    void anyMatchesWhateverIsCurrent() {
        Fence any = new Fence.Any();
        for (long current : new long[] {1, 2, Validation.COUNTER_MAX}) {
            assertThat(any.matches(current)).isTrue();
            assertThat(any.isAdjacent(current)).isTrue();
        }
        assertThat(any).hasToString("*");
    }

    @Test
    void aFenceIsACounter() {
        for (long wrong : new long[] {0, -1, Validation.COUNTER_MAX + 1}) {
            assertThatThrownBy(() -> Fence.exactly(wrong)).isInstanceOf(ProblemException.class);
            assertThatThrownBy(() -> new Fence.Exactly(wrong)).isInstanceOf(ProblemException.class);
        }
    }
}
