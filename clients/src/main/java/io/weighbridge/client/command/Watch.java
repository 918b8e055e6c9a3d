package io.weighbridge.client.command;

import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.problem.Retry;
import io.weighbridge.wire.FeedEntry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Follows the feed of changes and goes on after a broken connection without losing one. */
@Command(name = "watch", description = "Follow changes as they are committed.")
final class Watch implements Callable<Integer> {

    private static final String DATA = "data:";

    @Mixin
    private Connection connection = new Connection();

    @Option(names = "--revision-id", paramLabel = "ID", description = "Only this revision.")
    private @Nullable String revisionId;

    @Option(names = "--from", paramLabel = "CURSOR", description = "start, now, or a cursor (default: now).")
    private @Nullable String cursor;

    @Option(names = "--count", paramLabel = "N", description = "Stop after so many changes.")
    private @Nullable Long count;

    @Override
    public Integer call() {
        GatewayClient client = connection.client();
        String last = cursor;
        long seen = 0;
        while (count == null || seen < count) {
            try (BufferedReader events =
                    new BufferedReader(new InputStreamReader(client.feed(revisionId, last), StandardCharsets.UTF_8))) {
                for (String line = events.readLine(); line != null; line = events.readLine()) {
                    if (!line.startsWith(DATA)) {
                        continue;
                    }
                    FeedEntry entry = client.rest().json().readValue(line.substring(DATA.length()), FeedEntry.class);
                    connection.out(
                            connection.isJson() ? line.substring(DATA.length()).strip() : forPeople(entry));
                    last = entry.cursor();
                    if (count != null && ++seen >= count) {
                        return 0;
                    }
                }
            } catch (IOException broken) {
                Revisions.pause();
            } catch (ProblemException refused) {
                if (refused.problem().code().retry() != Retry.LATER) {
                    throw refused;
                }
                Revisions.pause();
            }
        }
        return 0;
    }

    private static String forPeople(FeedEntry entry) {
        return "%s  %-20s %-9s %s v%d  by %s"
                .formatted(
                        entry.at(),
                        entry.kind(),
                        entry.entity(),
                        entry.entityId(),
                        entry.entityVersion(),
                        entry.subject());
    }
}
