package io.weighbridge.client.command;

import io.weighbridge.ledger.problem.Problem.FieldError;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.manifest.ManifestException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;

/** The client verbs, to be added to a command line. */
public final class ClientCommands {

    private ClientCommands() {}

    /** Adds every verb, shell completion and the handling of refusals. */
    public static CommandLine addTo(CommandLine commandLine) {
        List.<Object>of(
                        new Publish(),
                        new ListRevisions(),
                        new Show(),
                        new Load(),
                        new Place(),
                        new Evict(),
                        new Rehydrate(),
                        new Delete(),
                        new Lease(),
                        new Watch(),
                        new Nodes())
                .forEach(commandLine::addSubcommand);
        commandLine.addSubcommand("completion", new GenerateCompletion());
        commandLine
                .getSubcommands()
                .values()
                .forEach(verb -> verb.getCommandSpec().mixinStandardHelpOptions(true));
        return commandLine.setExecutionExceptionHandler(ClientCommands::explain);
    }

    /** A refusal is one line for a person and exit status 1; a defect keeps its stack trace. */
    private static int explain(Exception error, CommandLine verb, CommandLine.ParseResult parsed) throws Exception {
        switch (error) {
            case ProblemException refused -> {
                verb.getErr().println("error: " + refused.getMessage());
                for (FieldError field : refused.problem().errors()) {
                    verb.getErr().println("  " + field.field() + ": " + field.message());
                }
            }
            case ManifestException malformed -> verb.getErr().println("error: " + malformed.getMessage());
            case IOException broken -> verb.getErr().println("error: " + broken);
            case UncheckedIOException broken -> verb.getErr().println("error: " + broken.getMessage());
            default -> throw error;
        }
        return 1;
    }
}
