package io.weighbridge.client.command;

import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.client.rest.Rest;
import io.weighbridge.client.terminal.ProgressBars;
import io.weighbridge.client.weights.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;
import tools.jackson.databind.SerializationFeature;

/** How a verb reaches the gateway and how it answers. */
final class Connection {

    @Option(
            names = {"--gateway"},
            paramLabel = "URL",
            defaultValue = "${env:WEIGHBRIDGE_GATEWAY:-http://127.0.0.1:8080}",
            description = "The gateway (default: ${DEFAULT-VALUE}, or WEIGHBRIDGE_GATEWAY).")
    private String gateway = "";

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "Holds the bearer token; WEIGHBRIDGE_TOKEN is taken otherwise.")
    private @Nullable Path tokenFile;

    @Option(names = "--json", description = "Print JSON, for scripts.")
    private boolean json;

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec verb;

    private @Nullable GatewayClient client;

    GatewayClient client() {
        GatewayClient connected = client;
        if (connected == null) {
            connected = new GatewayClient(new Rest(token()), gateway);
            client = connected;
        }
        return connected;
    }

    boolean isJson() {
        return json;
    }

    Progress progress() {
        return json ? Progress.SILENT : new ProgressBars();
    }

    /** Prints the value as JSON, or else what is for people. */
    void print(Object value, Object forPeople) {
        out(
                json
                        ? client().rest()
                                .json()
                                .writer()
                                .with(SerializationFeature.INDENT_OUTPUT)
                                .writeValueAsString(value)
                        : forPeople.toString());
    }

    void out(String line) {
        Objects.requireNonNull(verb).commandLine().getOut().println(line);
        Objects.requireNonNull(verb).commandLine().getOut().flush();
    }

    private @Nullable String token() {
        if (tokenFile == null) {
            return System.getenv("WEIGHBRIDGE_TOKEN");
        }
        try {
            return Files.readString(tokenFile).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("the token file cannot be read: " + tokenFile, e);
        }
    }
}
