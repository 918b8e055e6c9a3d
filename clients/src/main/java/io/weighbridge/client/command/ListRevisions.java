package io.weighbridge.client.command;

import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.wire.RevisionPage;
import io.weighbridge.wire.RevisionView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists revisions: of one resource, of one namespace, or all. */
@Command(name = "list", description = "List revisions: of one resource, of one namespace, or all.")
final class ListRevisions implements Callable<Integer> {

    @Mixin
    private Connection connection = new Connection();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "TEXT",
            description = "Only this namespace.")
    private @Nullable String namespace;

    @Option(
            names = {"-m", "--resource"},
            paramLabel = "TEXT",
            description = "Only this resource.")
    private @Nullable String resourceId;

    @Option(names = "--deleted", description = "Tombstones too.")
    private boolean deleted;

    @Override
    public Integer call() {
        GatewayClient client = connection.client();
        List<RevisionView> found = new ArrayList<>();
        for (String space : namespace == null ? namespaces(client) : List.of(namespace)) {
            for (String resource : resourceId == null ? resources(client, space) : List.of(resourceId)) {
                pages(
                        token -> client.revisions(space, resource, deleted, token),
                        page -> found.addAll(page.revisions()),
                        RevisionPage::nextPageToken);
            }
        }
        connection.print(found, found.isEmpty() ? "No revisions." : Revisions.table(found));
        return 0;
    }

    private static List<String> namespaces(GatewayClient client) {
        List<String> names = new ArrayList<>();
        pages(client::namespaces, page -> names.addAll(page.namespaces()), page -> page.nextPageToken());
        return names;
    }

    private static List<String> resources(GatewayClient client, String space) {
        List<String> names = new ArrayList<>();
        pages(
                token -> client.resources(space, token),
                page -> names.addAll(page.resources()),
                page -> page.nextPageToken());
        return names;
    }

    static <P> void pages(Function<@Nullable String, P> load, Consumer<P> take, Function<P, @Nullable String> next) {
        String token = null;
        do {
            P page = load.apply(token);
            take.accept(page);
            token = next.apply(page);
        } while (token != null);
    }
}
