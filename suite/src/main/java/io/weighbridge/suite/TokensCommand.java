package io.weighbridge.suite;

import io.weighbridge.ledger.http.security.BearerTokens;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.http.security.TokenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes the credentials of a small site: one token for each service and agent, and one for an administrator. */
@Command(
        name = "tokens",
        mixinStandardHelpOptions = true,
        description =
                "Make the credentials of a small site, unless they are there: a file of hashes for all services, and "
                        + "one secret for each service, each agent and an administrator.")
final class TokensCommand implements Callable<Integer> {

    private static final List<String> SERVICES = List.of("metadata", "lease", "reconciliation", "gateway");
    private static final String OWN_TOKEN = "weighbridge.security.own-token";

    @Parameters(paramLabel = "DIR", description = "Where to write; kept secret.")
    private Path directory = Path.of("");

    @Option(names = "--nodes", paramLabel = "N", defaultValue = "2", description = "Agents (default: 2).")
    private int nodes;

    @Option(
            names = "--tenant",
            paramLabel = "TEXT",
            defaultValue = "default",
            description = "The administrator's tenant.")
    private String tenant = "";

    @Option(names = "--owner", paramLabel = "UID", description = "Give the files to this user; for root only.")
    private @Nullable Integer owner;

    @Override
    public Integer call() throws IOException {
        Path peers = directory.resolve("peers.json");
        if (Files.exists(peers)) {
            System.out.println("Kept the credentials in " + directory);
            return 0;
        }
        Files.createDirectories(directory);
        List<TokenFile.Entry> entries = new ArrayList<>();
        for (String service : SERVICES) {
            entries.add(TokenFile.Entry.of(secret(service), "service/" + service, null, Scope.LEDGER_INTERNAL));
        }
        for (int i = 1; i <= nodes; i++) {
            entries.add(TokenFile.Entry.of(secret("node-" + i), "node/" + i, null, Scope.NODES_AGENT));
        }
        String admin = BearerTokens.newToken();
        writeSecret(directory.resolve("administrator.token"), admin);
        TokenFile.write(
                directory.resolve("users.json"),
                List.of(TokenFile.Entry.of(
                        admin,
                        "administrator",
                        tenant,
                        Scope.WEIGHTS_ADMIN,
                        Scope.OBJECTS_ADMIN,
                        Scope.UPDATES_OPERATE)));
        TokenFile.write(peers, entries);
        giveAway();
        System.out.println(
                "Made credentials in " + directory + "; the administrator's token is in administrator.token");
        return 0;
    }

    /** Readable by its owner only, from its first byte on. */
    private static void writeSecret(Path file, String secret) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, secret);
    }

    private void giveAway() throws IOException {
        if (owner == null) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.toList()) {
                Files.setAttribute(file, "unix:uid", owner);
            }
        }
    }

    /** A folder a process, in the form of Spring's configuration trees: one file a property. */
    private String secret(String name) throws IOException {
        String token = BearerTokens.newToken();
        Path folder = directory.resolve(name);
        if (!Files.exists(folder)) {
            Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        writeSecret(folder.resolve(OWN_TOKEN), token);
        return token;
    }
}
