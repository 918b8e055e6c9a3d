package io.weighbridge.reconciliation.work.application;

import io.weighbridge.ledger.identity.RevisionId;
import java.util.List;
import reactor.core.publisher.Flux;

/** All revisions that may need a look, page by page. */
@FunctionalInterface
public interface Inventory {

    Flux<List<RevisionId>> pages();
}
