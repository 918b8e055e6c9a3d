package io.weighbridge.client.command;

import io.weighbridge.client.rest.GatewayClient;
import io.weighbridge.client.terminal.Sizes;
import io.weighbridge.client.terminal.Table;
import io.weighbridge.wire.Diagnosis;
import io.weighbridge.wire.MemberPage;
import io.weighbridge.wire.MemberView;
import io.weighbridge.wire.ReplicaView;
import io.weighbridge.wire.RevisionView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows one revision, and on request its members or why it is not readable. */
@Command(name = "show", description = "Show one revision.")
final class Show implements Callable<Integer> {

    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private RevisionSelector selector = new RevisionSelector();

    @Option(names = "--members", description = "Its objects and their copies.")
    private boolean members;

    @Option(names = "--diagnosis", description = "Why it can, or cannot, be read, layer by layer.")
    private boolean diagnosis;

    @Override
    public Integer call() {
        GatewayClient client = connection.client();
        RevisionView revision = selector.find(client);
        if (members) {
            List<MemberView> found = new ArrayList<>();
            ListRevisions.pages(
                    token -> client.members(revision.revisionId(), token),
                    page -> found.addAll(page.members()),
                    MemberPage::nextPageToken);
            connection.print(found, members(found));
        } else if (diagnosis) {
            Diagnosis found = client.diagnosis(revision.revisionId());
            connection.print(found, layers(found));
        } else {
            connection.print(revision, fields(revision));
        }
        return 0;
    }

    private static Table fields(RevisionView revision) {
        return Table.of("FIELD", "VALUE")
                .row("id", revision.revisionId())
                .row("namespace", revision.namespace())
                .row("resource", revision.resourceId())
                .row("revision", revision.revision())
                .row("weight generation", revision.weightGeneration())
                .row("availability", revision.availability())
                .row("residency", revision.residency())
                .row("operation", revision.operation())
                .row("metadata generation", revision.metadataGeneration())
                .row("payload objects", revision.expectedPayloadCount())
                .row("size", Sizes.bytes(Revisions.bytes(revision)))
                .row("manifest", revision.manifestKey())
                .row("placement", revision.placement())
                .row("labels", revision.labels())
                .row("created", revision.createdAt())
                .row("committed", revision.committedAt() == null ? "-" : revision.committedAt());
    }

    private static Table members(List<MemberView> members) {
        Table table = Table.of("KEY", "TYPE", "SIZE", "COPIES");
        for (MemberView member : members) {
            String copies = member.replicas().stream()
                    .filter(ReplicaView::readable)
                    .map(replica ->
                            replica.tier() + "@" + replica.nodeId().toString().substring(0, 8))
                    .collect(Collectors.joining(" "));
            table.row(member.key(), member.type(), Sizes.bytes(member.size()), copies);
        }
        return table;
    }

    private static Table layers(Diagnosis diagnosis) {
        Table table = Table.of("LAYER", "VERDICT", "EVIDENCE", "NEXT STEP");
        diagnosis
                .layers()
                .forEach(layer -> table.row(
                        layer.name(),
                        layer.verdict(),
                        layer.evidence(),
                        layer.nextStep() == null ? "" : layer.nextStep()));
        return table;
    }
}
