package io.weighbridge.ledger.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.ledger.problem.ProblemException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RevisionIdentityTest {

    @Test
    void orderIsByComponentsThenByNumber() {
        List<RevisionIdentity> ascending = List.of(
                new RevisionIdentity("a", "n", "m", "r", 9),
                new RevisionIdentity("b", "a", "m", "r", 1),
                new RevisionIdentity("b", "n", "a", "r", 1),
                new RevisionIdentity("b", "n", "m", "a", 1),
                new RevisionIdentity("b", "n", "m", "r", 2),
                new RevisionIdentity("b", "n", "m", "r", 10),
                new RevisionIdentity("b", "n", "m", "\uFF5E", 1),
                new RevisionIdentity("b", "n", "m", "\uD83D\uDE00", 1));
        List<RevisionIdentity> shuffled = new ArrayList<>(ascending);
        Collections.shuffle(shuffled, new Random(1));
        Collections.sort(shuffled);

        assertThat(shuffled).isEqualTo(ascending);
    }

    @ParameterizedTest
    @CsvSource({
        "_t, n, m, r, 1, tenant_id",
        "'', n, m, r, 1, tenant_id",
        "t, '', m, r, 1, namespace",
        "t, n, '', r, 1, resource_id",
        "t, n, m, '', 1, revision",
        "t, n, m, r, 0, weight_generation",
        "t, n, m, r, 9007199254740992, weight_generation"
    })
    void theOffendingComponentIsNamed(
            String tenant, String namespace, String resource, String revision, long generation, String field) {
        assertThatThrownBy(() -> new RevisionIdentity(tenant, namespace, resource, revision, generation))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problem().errors())
                                .singleElement()
                                .satisfies(error -> assertThat(error.field()).isEqualTo(field)));
    }

    @Test
    void anIdIsKnownByItsGroup() {
        String hex = "5dbbea14aa75c98a5b3fbb576a9c612d64fc6bc8f490f24a7ff017fcfe321b7d";

        assertThat(RevisionId.ofGroup("weight:" + hex)).contains(new RevisionId(hex));
        assertThat(new RevisionId(hex)).hasToString(hex);
        assertThat(RevisionId.ofGroup(null)).isEmpty();
        for (String ordinary : List.of(
                "",
                "weight:",
                "weight:abc",
                hex,
                "Weight:" + hex,
                " weight:" + hex,
                "weight:" + hex + "0",
                "weight:" + hex.replace('d', 'D'),
                "weight: " + hex.substring(1),
                "kv:" + hex)) {
            assertThat(RevisionId.ofGroup(ordinary)).as(ordinary).isEmpty();
        }
    }

    @Test
    void theGuardKeyIsTheFirst64BitsAndMayBeNegative() {
        assertThat(new RevisionId("5dbbea14aa75c98a" + "0".repeat(48)).guardKey())
                .isEqualTo(0x5dbbea14aa75c98aL);
        assertThat(new RevisionId("f".repeat(64)).guardKey()).isEqualTo(-1);
    }
}
