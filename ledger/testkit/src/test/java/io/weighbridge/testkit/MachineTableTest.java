package io.weighbridge.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weighbridge.testkit.MachineTable.Dimension;
import io.weighbridge.testkit.MachineTable.Row;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachineTableTest {

    private enum Door {
        OPEN,
        SHUT,
        LOCKED
    }

    private static final MachineTable DOOR = MachineTable.of("door", "Doors", "common sense", """
            | state      | command | outcome |
            | OPEN, SHUT | shut    | SHUT    |
            | LOCKED     | open    | REFUSED |
            | *          | open    | OPEN    |
            | LOCKED     | *       | LOCKED  |
            """);

    @Test
    void theFirstRowThatFitsDecides() {
        List<Row> all = DOOR.every(Dimension.of("state", Door.class), Dimension.of("command", "shut", "open"))
                .toList();
        assertThat(all)
                .extracting(row -> row.get("state") + " " + row.get("command") + " " + row.get("outcome"))
                .containsExactly(
                        "OPEN shut SHUT",
                        "OPEN open OPEN",
                        "SHUT shut SHUT",
                        "SHUT open OPEN",
                        "LOCKED shut LOCKED",
                        "LOCKED open REFUSED");
    }

    @Test
    void aMissingCaseIsFound() {
        assertThatThrownBy(
                        () -> DOOR.every(Dimension.of("state", Door.class), Dimension.of("command", "shut", "paint")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("no row")
                .hasMessageContaining("paint");
    }

    @Test
    void aRowThatDecidesNothingIsFound() {
        MachineTable table = MachineTable.of("door", "Doors", "common sense", """
                | state | outcome |
                | *     | OPEN    |
                | SHUT  | SHUT    |
                """);
        assertThatThrownBy(() -> table.every(Dimension.of("state", Door.class)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("row 2: SHUT | SHUT decides nothing");
    }

    @Test
    void rowsMustFitTheColumns() {
        assertThatThrownBy(() -> MachineTable.of("x", "X", "x", "| a | b |\n| 1 |"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MachineTable.of("x", "X", "x", "| a | b |\n1, 2"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DOOR.rows().toList().getFirst().get("colour"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theDocumentShowsTheRows() {
        assertThat(DOOR.markdown()).isEqualTo("""
                # Doors

                After common sense. Generated from the rows that the test runs; do not edit.
                The first row that fits decides; `*` stands for every value.

                | state      | command | outcome |
                | ---------- | ------- | ------- |
                | OPEN, SHUT | shut    | SHUT    |
                | LOCKED     | open    | REFUSED |
                | *          | open    | OPEN    |
                | LOCKED     | *       | LOCKED  |
                """);
        assertThatThrownBy(DOOR::assertDocumented)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("-Dweighbridge.docs.write=true");
    }
}
