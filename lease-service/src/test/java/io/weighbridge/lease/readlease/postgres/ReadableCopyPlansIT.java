package io.weighbridge.lease.readlease.postgres;

import io.weighbridge.lease.Plans;
import io.weighbridge.testkit.TestLedger;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every statement on readable copies uses indexes on a large ledger. */
class ReadableCopyPlansIT {

    @RegisterExtension
    static final TestLedger LEDGER = TestLedger.perClass();

    @BeforeAll
    static void fill() {
        Plans.fill(LEDGER);
    }

    static Stream<String> statements() {
        return Stream.of(ReadableCopies.OF_OBJECTS, ReadableCopies.KNOWN, ReadableCopies.OF_MANIFEST);
    }

    @ParameterizedTest
    @MethodSource("statements")
    void usesIndexes(String statement) {
        Plans.assertIndexed(
                LEDGER,
                statement,
                Map.of(
                        "objects", "ARRAY['a', 'b']",
                        "tenant", "'acme'",
                        "revision", "repeat('a', 64)"));
    }
}
