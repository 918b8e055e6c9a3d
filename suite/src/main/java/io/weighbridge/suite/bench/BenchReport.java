package io.weighbridge.suite.bench;

import io.weighbridge.client.terminal.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The results as a table for the terminal, as Markdown and as JSON. What loses is shown like what wins. */
record BenchReport(Instant at, String machine, List<Comparison> comparisons) {

    static BenchReport of(List<Comparison> comparisons) {
        String machine = Runtime.getRuntime().availableProcessors() + " cores, " + System.getProperty("os.name") + " "
                + System.getProperty("os.arch") + ", Java " + Runtime.version();
        return new BenchReport(Instant.now(), machine, comparisons);
    }

    Table table() {
        Table table = Table.of("ROW", "WHAT", "MEDIAN", "SPREAD", "PEER", "MEDIAN", "SPREAD", "RATIO", "GOAL");
        for (Comparison c : comparisons) {
            table.row(
                    c.row(),
                    c.ours().name(),
                    figure(c.ours()),
                    percent(c.ours().spread()),
                    c.peerName(),
                    c.peer() == null ? "not installed" : figure(c.peer()),
                    c.peer() == null ? "" : percent(c.peer().spread()),
                    ratio(c.ratio()),
                    ">= " + ratio(c.goal()));
        }
        return table;
    }

    void write(Path markdown, Path json) throws IOException {
        StringBuilder text = new StringBuilder("""
                # Benchmarks

                Made by `./weighbridge bench`. Each row compares two things measured in turns, in one run on
                one machine; the ratio is what counts.

                """);
        text.append("Run of ").append(at).append(" on ").append(machine).append(".\n\n");
        text.append("| Row | What | Median | Spread | Peer | Median | Spread | Ratio | Goal |\n");
        text.append("|---|---|---|---|---|---|---|---|---|\n");
        for (Comparison c : comparisons) {
            text.append("| %s | %s | %s | %s | %s | %s | %s | %s | >= %s |%n"
                    .formatted(
                            c.row(),
                            c.ours().name(),
                            figure(c.ours()),
                            percent(c.ours().spread()),
                            c.peerName(),
                            c.peer() == null ? "not installed" : figure(c.peer()),
                            c.peer() == null ? "" : percent(c.peer().spread()),
                            ratio(c.ratio()),
                            ratio(c.goal())));
        }
        Files.writeString(markdown, text);
        JsonMapper mapper =
                JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
        Files.write(json, mapper.writeValueAsBytes(this));
    }

    private static String figure(Samples samples) {
        return String.format(Locale.ROOT, "%,.0f %s", samples.median(), samples.unit());
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", share * 100);
    }

    private static String ratio(@Nullable Double ratio) {
        return ratio == null ? "-" : String.format(Locale.ROOT, "%.2f", ratio);
    }
}
