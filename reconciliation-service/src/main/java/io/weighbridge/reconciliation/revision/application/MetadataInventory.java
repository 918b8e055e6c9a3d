package io.weighbridge.reconciliation.revision.application;

import io.weighbridge.ledger.identity.RevisionId;
import io.weighbridge.reconciliation.revision.calls.MetadataCalls;
import io.weighbridge.reconciliation.work.application.Inventory;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The revisions that metadata-service says need a look. */
public final class MetadataInventory implements Inventory {

    private final MetadataCalls metadata;

    public MetadataInventory(MetadataCalls metadata) {
        this.metadata = metadata;
    }

    @Override
    public Flux<List<RevisionId>> pages() {
        return metadata.work(null)
                .expand(page -> page.next() == null ? Mono.empty() : metadata.work(page.next()))
                .map(page -> page.revisionIds().stream().map(RevisionId::new).toList());
    }
}
