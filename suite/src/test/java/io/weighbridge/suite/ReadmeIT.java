package io.weighbridge.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Goal: every command that the documents show works as it stands. */
class ReadmeIT {

    private static final Pattern COMMAND = Pattern.compile("(?m)^\\./weighbridge ([^#\\n]+)");

    /** These run in the continuous integration itself, or do not end. */
    private static final Set<String> ELSEWHERE = Set.of("verify", "quickstart", "suite", "bench");

    @Test
    void theCommandsOfTheReadme(@TempDir Path directory) throws Exception {
        String revisionId = "";
        for (List<String> words : commands(Path.of("..", "README.md"))) {
            String verb = words.getFirst();
            if (ELSEWHERE.contains(verb)) {
                requireParses(words);
                continue;
            }
            boolean publishes = verb.equals("publish");
            String id = revisionId;
            String target = publishes
                    ? SharedSuite.SAMPLE.toString()
                    : directory.resolve("loaded").toString();
            List<String> args = words.stream()
                    .map(word -> word.equals("DIR") ? target : word.equals("REVISION_ID") ? id : word)
                    .toList();
            CommandLineRun run =
                    verb.equals("help") ? CommandLineRun.of("help") : CommandLineIT.run(args.toArray(String[]::new));
            assertThat(run.status()).as("%s: %s", args, run.err()).isZero();
            if (publishes) {
                revisionId = run.out().strip().replaceFirst("(?s).*\\s", "");
            }
        }
        assertThat(revisionId).matches("[0-9a-f]{64}");
    }

    private static void requireParses(List<String> words) {
        if (!words.getFirst().equals("verify")) {
            CommandLine commandLine = Weighbridge.commandLine();
            assertThat(commandLine.parseArgs(words.toArray(String[]::new)).errors())
                    .isEmpty();
        }
    }

    private static List<List<String>> commands(Path document) throws Exception {
        return COMMAND.matcher(Files.readString(document))
                .results()
                .map(match -> Arrays.asList(match.group(1).strip().split("\\s+")))
                .toList();
    }
}
