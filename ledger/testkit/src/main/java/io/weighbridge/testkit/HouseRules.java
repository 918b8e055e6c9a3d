package io.weighbridge.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.weighbridge.testkit.rules.Excuse;
import io.weighbridge.testkit.rules.HouseInspection;
import io.weighbridge.testkit.rules.Rule;
import io.weighbridge.testkit.rules.Violation;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The house rules as an inherited test of each module:
 *
 * <pre>{@code
 * class HouseRulesTest extends HouseRules {
 *     HouseRulesTest() {
 *         super("io.weighbridge.metadata");
 *     }
 * }
 * }</pre>
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class HouseRules {

    private final String root;
    private final String schema;
    private List<Violation> violations = List.of();

    /** @param root the module's root package; its last part is the schema that the module may write */
    protected HouseRules(String root) {
        this(root, root.substring(root.lastIndexOf('.') + 1));
    }

    /**
     * @param root the module's root package
     * @param schema the only database schema that the module may write
     */
    protected HouseRules(String root, String schema) {
        this.root = root;
        this.schema = schema;
    }

    /** Places that are let off a rule, each with its reason. */
    protected List<Excuse> excused() {
        return List.of();
    }

    @BeforeAll
    final void inspect() {
        violations = HouseInspection.of(Path.of("").toAbsolutePath(), root, schema);
    }

    @ParameterizedTest
    @EnumSource(Rule.class)
    final void isKept(Rule rule) {
        List<Violation> breaches = violations.stream()
                .filter(violation -> violation.rule() == rule)
                .filter(violation -> excused().stream().noneMatch(excuse -> excuse.covers(violation)))
                .toList();
        if (!breaches.isEmpty()) {
            fail(breaches.size() + " places break the rule " + rule + ":\n"
                    + breaches.stream().map(Violation::toString).collect(Collectors.joining("\n")));
        }
    }

    @Test
    final void noExcuseOutlivesItsCause() {
        assertThat(excused())
                .allSatisfy(excuse -> assertThat(violations)
                        .as("%s excuses nothing any more: remove it", excuse)
                        .anyMatch(excuse::covers));
    }
}
