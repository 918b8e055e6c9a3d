package io.weighbridge.ledger.http.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.weighbridge.ledger.problem.ProblemCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of spec 5.1, row by row. */
class ProblemStatusTest {

    private static final List<String> ROWS = List.of(
            "INVALID_ARGUMENT 400",
            "UNAUTHENTICATED 401",
            "PERMISSION_DENIED 403",
            "NOT_FOUND 404",
            "CONFLICT ALREADY_EXISTS NOT_READY NOT_COMMITTED MANAGED_GROUP STALE_TOKEN STALE_INCARNATION POISONED"
                    + " GENERATION_EXHAUSTED 409",
            "LEASE_EXPIRED FEED_RESET 410",
            "STALE_GENERATION 412",
            "PAYLOAD_TOO_LARGE 413",
            "METHOD_NOT_ALLOWED 405",
            "NOT_ACCEPTABLE 406",
            "UNSUPPORTED_MEDIA_TYPE 415",
            "RANGE_NOT_SATISFIABLE 416",
            "COVERAGE_FAILED CHECKSUM_MISMATCH UNSUPPORTED 422",
            "BUSY 423",
            "PRECONDITION_REQUIRED 428",
            "RATE_LIMITED 429",
            "INTERNAL 500",
            "DURABILITY_FAILED UNAVAILABLE 503",
            "DEADLINE_EXCEEDED 504",
            "NO_SPACE QUOTA_EXCEEDED INSUFFICIENT_MEMORY RELEASE_INEFFECTIVE 507");

    @Test
    void everyCodeHasTheSpecsStatus() {
        List<String> seen = new ArrayList<>();
        for (String row : ROWS) {
            String[] words = row.split(" ");
            for (String code : Arrays.copyOf(words, words.length - 1)) {
                assertThat(ProblemStatus.of(ProblemCode.valueOf(code)))
                        .as(code)
                        .isEqualTo(Integer.parseInt(words[words.length - 1]));
                seen.add(code);
            }
        }
        assertThat(seen).hasSize(ProblemCode.values().length);
    }

    @Test
    void retryAfterGoesWith429And503() {
        Set<Integer> statuses = new TreeSet<>();
        for (ProblemCode code : ProblemCode.values()) {
            if (ProblemStatus.hasRetryAfter(code)) {
                statuses.add(ProblemStatus.of(code));
            }
        }
        assertThat(statuses).containsExactly(429, 503);
    }

    @ParameterizedTest
    @CsvSource({"404, NOT_FOUND", "502, UNAVAILABLE", "503, UNAVAILABLE", "418, INVALID_ARGUMENT", "599, INTERNAL"})
    void anAnswerWithoutReasonIsToldByItsStatus(int status, ProblemCode code) {
        assertThat(ProblemStatus.codeFor(status)).isEqualTo(code);
    }
}
