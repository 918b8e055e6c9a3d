package io.weighbridge.ledger.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The boundaries of spec 1.2. */
class ValidationTest {

    @ParameterizedTest
    @ValueSource(strings = {" ", "/", ":", "%", "..", "生产", "\uD83D\uDE00", "a b", "_x", "\u0080", "\u00A0", "\uFFFF"})
    void nearlyEverythingIsLegalText(String text) {
        assertThat(Validation.text("f", text)).isEqualTo(text);
    }

    @Test
    void textHasOneTo1024Bytes() {
        assertThat(Validation.text("f", "x".repeat(1024))).hasSize(1024);
        assertThat(Validation.text("f", "产".repeat(341) + "x")).hasSize(342);
        refused("f", "must have 1 to 1024 UTF-8 bytes, has 0", () -> Validation.text("f", ""));
        refused("f", "must have 1 to 1024 UTF-8 bytes, has 1025", () -> Validation.text("f", "x".repeat(1025)));
        refused("f", "must have 1 to 1024 UTF-8 bytes, has 1026", () -> Validation.text("f", "产".repeat(342)));
        refused("f", "is missing", () -> Validation.text("f", null));
    }

    @Test
    void noControlCharacterIsLegalText() {
        IntStream.concat(IntStream.range(0, 0x20), IntStream.of(0x7F))
                .forEach(c -> refused(
                        "f",
                        "must not contain control characters",
                        () -> Validation.text("f", "a" + Character.toString(c) + "b")));
    }

    @Test
    void loneSurrogatesAreNotText() {
        for (String text : List.of("\uD800", "\uDC00", "a\uD800b", "\uDC00\uD800", "\uD83D\uD83D\uDE00")) {
            refused("f", "is not well-formed Unicode", () -> Validation.text("f", text));
            refused("f", "is not well-formed Unicode", () -> Validation.objectKey("f", text));
        }
    }

    @Test
    void aTenantDoesNotStartWithAnUnderscore() {
        assertThat(Validation.tenant("tenant_id", "a_")).isEqualTo("a_");
        refused("tenant_id", "must not start with '_'", () -> Validation.tenant("tenant_id", "_a"));
        refused("tenant_id", "must not start with '_'", () -> Validation.tenant("tenant_id", "_"));
    }

    @Test
    void anObjectKeyMayHoldAnythingButNul() {
        assertThat(Validation.objectKey("key", "\u0001\n\u007f")).hasSize(3);
        assertThat(Validation.objectKey("key", "x".repeat(1024))).hasSize(1024);
        refused("key", "must not contain NUL", () -> Validation.objectKey("key", "a\0b"));
        refused("key", "must have 1 to 1024 UTF-8 bytes, has 0", () -> Validation.objectKey("key", ""));
        refused(
                "key",
                "must have 1 to 1024 UTF-8 bytes, has 1025",
                () -> Validation.objectKey("key", "x".repeat(1025)));
        refused("key", "is missing", () -> Validation.objectKey("key", null));
    }

    @Test
    void countersStopAt2To53Less1() {
        long max = 9_007_199_254_740_991L;
        assertThat(Validation.counter("n", 1)).isEqualTo(1);
        assertThat(Validation.counter("n", max)).isEqualTo(max);
        for (long wrong : new long[] {0, -1, max + 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            refused("n", "must be 1 to " + max + ", is " + wrong, () -> Validation.counter("n", wrong));
        }
        assertThat(Validation.size("n", 0)).isZero();
        assertThat(Validation.size("n", max)).isEqualTo(max);
        for (long wrong : new long[] {-1, max + 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            refused("n", "must be 0 to " + max + ", is " + wrong, () -> Validation.size("n", wrong));
        }
    }

    @Test
    void aSha256Has64LowerCaseDigits() {
        String digest = "0123456789abcdef".repeat(4);
        assertThat(Validation.sha256("d", digest)).isEqualTo(digest);
        for (String wrong : Arrays.asList(
                "",
                digest.substring(1),
                digest + "0",
                digest.toUpperCase(java.util.Locale.ROOT),
                digest + "\n",
                " " + digest.substring(1),
                "g" + digest.substring(1),
                null)) {
            refused("d", "must be 64 lower-case hexadecimal digits", () -> Validation.sha256("d", wrong));
        }
    }

    private static void refused(String field, String message, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(ProblemException.class, e -> {
            assertThat(e.problem().code()).isEqualTo(ProblemCode.INVALID_ARGUMENT);
            assertThat(e.problem().errors()).containsExactly(new Problem.FieldError(field, message));
        });
    }
}
