package io.weighbridge.suite.bench;

import io.weighbridge.suite.run.Readiness;
import io.weighbridge.suite.run.RunningSuite;
import io.weighbridge.suite.run.SuiteSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures the rows that are named, or all. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measure against peers in the same run and print ratios. Rows: P1 (revision leases).")
public final class BenchCommand implements Callable<Integer> {

    @Parameters(arity = "0..*", paramLabel = "ROW", description = "Default: all.")
    private List<String> rows = List.of();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "5",
            description = "How long each contender runs in a round (default: 5).")
    private int seconds;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "Rounds, in which the contenders alternate (default: 3).")
    private int rounds;

    @Option(names = "--write", paramLabel = "DIR", description = "Write benchmarks.md and benchmarks.json there.")
    private @Nullable Path directory;

    @Override
    public Integer call() throws Exception {
        List<String> wanted = rows.isEmpty() ? List.of("P1") : rows;
        List<String> unknown = wanted.stream().filter(row -> !row.equals("P1")).toList();
        if (!unknown.isEmpty()) {
            System.err.println("error: there is no row " + unknown);
            return 2;
        }
        long started = System.nanoTime();
        List<Comparison> comparisons = new ArrayList<>();
        try (RunningSuite suite = RunningSuite.start(
                new SuiteSettings(0, null, 1, false, SuiteSettings.MEMORY_BYTES, List.of()),
                part -> System.err.println("starting " + part + " ..."))) {
            Readiness.await(suite.gatewayUrl(), Duration.ofMinutes(2));
            Rounds plan = new Rounds(rounds, Duration.ofSeconds(seconds));
            comparisons.addAll(new LeaseRow(suite, plan).run());
        }
        BenchReport report = BenchReport.of(comparisons);
        System.out.println(report.table());
        if (directory != null) {
            report.write(directory.resolve("benchmarks.md"), directory.resolve("benchmarks.json"));
        }
        long took = Duration.ofNanos(System.nanoTime() - started).toSeconds();
        String outcome = outcome(comparisons, took);
        System.out.println(outcome);
        return outcome.startsWith("FAILED") ? 1 : 0;
    }

    /** A comparison whose peer is not installed is no check. */
    private static String outcome(List<Comparison> comparisons, long seconds) {
        int measured = 0;
        for (Comparison comparison : comparisons) {
            Double ratio = comparison.ratio();
            if (ratio != null && ratio < comparison.goal()) {
                return "FAILED " + comparison.row() + " " + comparison.ours().name() + " against "
                        + comparison.peerName() + ": " + String.format(Locale.ROOT, "%.2f", ratio)
                        + ", the goal is " + comparison.goal();
            }
            measured += ratio == null ? 0 : 1;
        }
        return measured == 0 ? "SKIPPED no peer is installed" : "PASSED " + measured + " checks in " + seconds + " s";
    }
}
