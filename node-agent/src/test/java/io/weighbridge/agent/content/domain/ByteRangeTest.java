package io.weighbridge.agent.content.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110, section 14.1.2, for an object of 10 bytes. */
class ByteRangeTest {

    @ParameterizedTest
    @CsvSource({
        "bytes=0-9, 0, 10",
        "bytes=0-0, 0, 1",
        "bytes=9-9, 9, 10",
        "bytes=3-, 3, 10",
        "bytes=-1, 9, 10",
        "bytes=-10, 0, 10",
        "bytes=-11, 0, 10",
        "bytes=5-999999999999999999, 5, 10"
    })
    void understandsOneRange(String header, long from, long to) {
        assertThat(ByteRange.of(header, 10)).isEqualTo(new ByteRange(from, to, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bytes=10-",
                "bytes=10-11",
                "bytes=5-4",
                "bytes=-0",
                "bytes=-",
                "bytes=",
                "bytes=0-1,3-4",
                "0-1",
                "bytes=a-b",
                "bytes=--1",
                "bytes=0-9999999999999999999",
                "bytes= 0-1",
                ""
            })
    void refusesEverythingElse(String header) {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> ByteRange.of(header, 10))
                .satisfies(e -> assertThat(e.problem().code()).isEqualTo(ProblemCode.RANGE_NOT_SATISFIABLE));
    }

    @Test
    void isTheWholeWithoutAHeader() {
        assertThat(ByteRange.of(null, 10)).isEqualTo(new ByteRange(0, 10, true));
        assertThat(ByteRange.of(null, 0).length()).isZero();
    }
}
