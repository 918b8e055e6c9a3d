package io.weighbridge.ledger.store.migrate;

import java.util.Optional;
import reactor.core.publisher.Mono;

/** Whether an instance can serve: the ledger answers, and the next days have a place for their entries (spec 1.9). */
public final class LedgerReadiness {

    private final SchemaCheck check;

    public LedgerReadiness(SchemaCheck check) {
        this.check = check;
    }

    /** What stands in the way, for a person; empty when ready. An error when the ledger does not answer. */
    public Mono<Optional<String>> obstacle() {
        return check.daysAhead()
                .map(days -> days >= SchemaCheck.DAYS_AHEAD_NEEDED
                        ? Optional.empty()
                        : Optional.of("the oplog has a place for only " + days + " more days"));
    }
}
