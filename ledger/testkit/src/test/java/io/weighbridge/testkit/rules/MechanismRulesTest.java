package io.weighbridge.testkit.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The house rules for the modules that the test kit itself is made of, or that come before it. */
class MechanismRulesTest {

    private static final List<Excuse> EXCUSED = List.of(
            new Excuse(Rule.BLOCKING, "LedgerStart", "the thread that starts the application has nothing else to do"),
            new Excuse(Rule.WRITING_SQL, "LedgerTransaction.java", "the mechanism appends to the oplog for its caller"),
            new Excuse(Rule.WRITING_SQL, "migrate/", "migrations make roles and databases"));

    @ParameterizedTest
    @CsvSource({
        "ledger/domain, io.weighbridge.ledger",
        "manifest, io.weighbridge.manifest",
        "wire, io.weighbridge.wire",
        "ledger/store, io.weighbridge.ledger.store",
        "ledger/http, io.weighbridge.ledger.http",
        "ledger/testkit, io.weighbridge.testkit"
    })
    void areKept(String module, String root) {
        Path folder = Path.of("..", "..").toAbsolutePath().normalize().resolve(module);
        assertThat(Files.isDirectory(folder)).isTrue();
        Stream<Violation> violations = HouseInspection.of(folder, root, "none").stream()
                .filter(violation -> EXCUSED.stream().noneMatch(excuse -> excuse.covers(violation)));
        assertThat(violations.map(Violation::toString)).isEmpty();
    }
}
