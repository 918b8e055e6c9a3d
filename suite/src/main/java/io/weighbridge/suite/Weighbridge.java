package io.weighbridge.suite;

import io.weighbridge.client.command.ClientCommands;
import io.weighbridge.suite.bench.BenchCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** What {@code ./weighbridge} runs. */
@Command(
        name = "weighbridge",
        description = "A control plane for AI model weights.",
        synopsisSubcommandLabel = "VERB",
        subcommands = {
            HelpCommand.class,
            QuickstartCommand.class,
            SuiteCommand.class,
            MigrateCommand.class,
            TokensCommand.class,
            BenchCommand.class,
        },
        footer = {
            "",
            "verify (in the script) runs all default tests. VERB --help tells a verb's options.",
        })
public final class Weighbridge {

    private Weighbridge() {}

    /** Exit status 0: done; 1: refused or failed; 2: the command line is wrong. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args.length == 0 ? new String[] {"help"} : args));
    }

    /** All verbs. */
    static CommandLine commandLine() {
        return ClientCommands.addTo(new CommandLine(new Weighbridge()));
    }
}
