package io.weighbridge.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rules of a machine as a text table, read like a ledger: one row per case in order of precedence, and the last
 * column says what happens. The test runs the rows, and {@code docs/machines} shows the same rows.
 *
 * <pre>{@code
 * MachineTable.of("revision", "Weight revisions", "spec 1.5", """
 *     | state          | command      | fence   | outcome          |
 *     | IMPORTING      | CommitImport | current | READY            |
 *     | READY,DEGRADED | Delete       | stale   | STALE_GENERATION |
 *     | *              | Delete       | current | ...              |
 *     """)
 * }</pre>
 *
 * <p>A cell may hold several values with commas between them, or {@code *} for all; the first row that fits decides.
 */
public final class MachineTable {

    private static final String WRITE = "weighbridge.docs.write";

    private final String name;
    private final String title;
    private final String source;
    private final List<String> columns;
    private final List<Row> rows;

    /**
     * One case.
     *
     * @param number of the row in the table, from 1
     */
    public record Row(int number, Map<String, String> cells) {

        /** @throws IllegalArgumentException for a column that the table does not have */
        public String get(String column) {
            String cell = cells.get(column);
            if (cell == null) {
                throw new IllegalArgumentException("no column " + column + " among " + cells.keySet());
            }
            return cell;
        }

        boolean fits(Map<String, String> values) {
            return values.entrySet().stream().allMatch(value -> fits(get(value.getKey()), value.getValue()));
        }

        private static boolean fits(String cell, String value) {
            return cell.equals("*")
                    || Stream.of(cell.split(",")).map(String::strip).anyMatch(value::equals);
        }

        @Override
        public String toString() {
            return "row " + number + ": " + String.join(" | ", cells.values());
        }
    }

    /** All values of one column, so that every combination can be tried. */
    public record Dimension(String column, List<String> values) {

        public static Dimension of(String column, String... values) {
            return new Dimension(column, List.of(values));
        }

        /** All constants of an enum, by name. */
        public static Dimension of(String column, Class<? extends Enum<?>> values) {
            return new Dimension(
                    column, Stream.of(values.getEnumConstants()).map(Enum::name).toList());
        }
    }

    private MachineTable(String name, String title, String source, List<String> columns, List<Row> rows) {
        this.name = name;
        this.title = title;
        this.source = source;
        this.columns = columns;
        this.rows = rows;
    }

    /**
     * Reads a table.
     *
     * @param name of the document in {@code docs/machines}
     * @param source the section of the specification it follows
     */
    public static MachineTable of(String name, String title, String source, String text) {
        List<List<String>> lines = text.lines()
                .filter(line -> !line.isBlank())
                .map(MachineTable::cells)
                .toList();
        List<String> columns = lines.getFirst();
        List<Row> rows = new ArrayList<>();
        for (List<String> line : lines.subList(1, lines.size())) {
            if (line.size() != columns.size()) {
                throw new IllegalArgumentException("a row of " + line.size() + " cells among " + columns + ": " + line);
            }
            Map<String, String> cells = new LinkedHashMap<>();
            for (int i = 0; i < columns.size(); i++) {
                cells.put(columns.get(i), line.get(i));
            }
            rows.add(new Row(rows.size() + 1, cells));
        }
        return new MachineTable(name, title, source, List.copyOf(columns), List.copyOf(rows));
    }

    private static List<String> cells(String line) {
        String bare = line.strip();
        if (!bare.startsWith("|") || !bare.endsWith("|")) {
            throw new IllegalArgumentException("a row is | cell | cell |, not: " + line);
        }
        return Stream.of(bare.substring(1, bare.length() - 1).split("\\|", -1))
                .map(String::strip)
                .toList();
    }

    /** The rows as they stand, for a parameterized test. */
    public Stream<Row> rows() {
        return rows.stream();
    }

    /**
     * Every combination of the dimensions' values, with the other cells of the first row that fits: the exhaustive
     * test.
     *
     * @throws AssertionError when a combination has no row, or a row decides no combination
     */
    public Stream<Row> every(Dimension... dimensions) {
        List<Map<String, String>> combinations = List.of(Map.of());
        for (Dimension dimension : dimensions) {
            combinations = combinations.stream()
                    .flatMap(before -> dimension.values().stream().map(value -> {
                        Map<String, String> next = new LinkedHashMap<>(before);
                        next.put(dimension.column(), value);
                        return next;
                    }))
                    .toList();
        }
        List<Row> expanded = combinations.stream().map(this::decide).toList();
        List<Integer> used = expanded.stream().map(Row::number).toList();
        assertThat(rows)
                .allSatisfy(row -> assertThat(used)
                        .as("%s decides nothing: earlier rows take all its cases, or it names an unknown value", row)
                        .contains(row.number()));
        return expanded.stream();
    }

    private Row decide(Map<String, String> values) {
        Row deciding = rows.stream()
                .filter(row -> row.fits(values))
                .findFirst()
                .orElseThrow(
                        () -> new AssertionError("no row of the table " + name + " says what happens for " + values));
        Map<String, String> cells = new LinkedHashMap<>(deciding.cells());
        cells.putAll(values);
        return new Row(deciding.number(), cells);
    }

    /**
     * Fails when {@code docs/machines} does not show these rows. With {@code -Dweighbridge.docs.write=true} it writes
     * them instead.
     */
    public void assertDocumented() {
        Path document = repository().resolve("docs/machines").resolve(name + ".md");
        try {
            if (Boolean.getBoolean(WRITE)) {
                Files.createDirectories(document.getParent());
                Files.writeString(document, markdown());
            }
            String published = Files.exists(document) ? Files.readString(document) : "";
            if (!published.equals(markdown())) {
                fail("docs/machines/" + name + ".md does not show the tested rows; run this test with -D" + WRITE
                        + "=true and commit the file");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The document. */
    String markdown() {
        int width = columns.size();
        int[] widths = new int[width];
        for (int i = 0; i < width; i++) {
            String column = columns.get(i);
            int longest = rows.stream()
                    .mapToInt(row -> row.get(column).length())
                    .max()
                    .orElse(0);
            widths[i] = Math.max(Math.max(column.length(), longest), 3);
        }
        StringBuilder text = new StringBuilder("# ").append(title).append("\n\n");
        text.append("After ").append(source).append(". Generated from the rows that the test runs; do not edit.\n");
        text.append("The first row that fits decides; `*` stands for every value.\n\n");
        text.append(line(columns, widths));
        text.append(line(columns.stream().map(column -> "---").toList(), widths));
        rows.forEach(row -> text.append(line(List.copyOf(row.cells().values()), widths)));
        return text.toString();
    }

    private static String line(List<String> cells, int[] widths) {
        List<String> padded = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            String filler = cells.get(i).equals("---") ? "-" : " ";
            padded.add(cells.get(i) + filler.repeat(widths[i] - cells.get(i).length()));
        }
        return padded.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    private static Path repository() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.isDirectory(folder.resolve(".mvn"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException("not below the repository's root, where .mvn is");
        }
        return folder;
    }
}
