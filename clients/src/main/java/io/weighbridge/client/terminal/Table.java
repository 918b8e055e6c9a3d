package io.weighbridge.client.terminal;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;

/** A table with a header, as wide as its widest cells. */
public final class Table {

    private final List<List<String>> rows = new ArrayList<>();

    private Table(List<String> header) {
        rows.add(header);
    }

    public static Table of(String... header) {
        return new Table(List.of(header));
    }

    /** Adds one row with as many cells as the header. */
    public Table row(Object... cells) {
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(String.valueOf(cell));
        }
        rows.add(row);
        return this;
    }

    @Override
    public String toString() {
        int columns = rows.getFirst().size();
        Column[] widths = new Column[columns];
        for (int c = 0; c < columns; c++) {
            int column = c;
            int widest = rows.stream()
                    .mapToInt(row -> row.get(column).length())
                    .max()
                    .orElse(0);
            widths[c] = new Column(widest + 3, 0, Overflow.TRUNCATE);
        }
        ColorScheme plain = new ColorScheme.Builder(Ansi.OFF).build();
        TextTable table = TextTable.forColumns(plain, widths);
        rows.forEach(row -> table.addRowValues(row.toArray(String[]::new)));
        return table.toString()
                .stripTrailing()
                .lines()
                .map(String::stripTrailing)
                .reduce((a, b) -> a + "\n" + b)
                .orElse("");
    }
}
