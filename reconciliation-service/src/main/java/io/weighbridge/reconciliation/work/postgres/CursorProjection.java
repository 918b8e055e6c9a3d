package io.weighbridge.reconciliation.work.postgres;

import io.weighbridge.ledger.store.Guards;
import io.weighbridge.ledger.store.Ledger;
import java.util.Objects;
import reactor.core.publisher.Mono;

/**
 * Where the reader of the feed has come to. Instances share one cursor: each reads the feed by itself, and what is
 * written last stands. An older cursor only means that some entries are read twice.
 */
public final class CursorProjection {

    private static final String CONSUMER = "work";

    private static final String SAVE = """
            INSERT INTO reconciliation.feed_cursor (consumer, cursor) VALUES (:consumer, :cursor)
            ON CONFLICT (consumer) DO UPDATE SET cursor = excluded.cursor
            """;

    private final Ledger ledger;

    public CursorProjection(Ledger ledger) {
        this.ledger = ledger;
    }

    /** Empty before the first was saved. */
    public Mono<String> load() {
        return ledger.reads()
                .sql("SELECT cursor FROM reconciliation.feed_cursor WHERE consumer = :consumer")
                .bind("consumer", CONSUMER)
                .map(row -> Objects.requireNonNull(row.get("cursor", String.class)))
                .one()
                .onErrorMap(Ledger::readError);
    }

    public Mono<Void> save(String cursor) {
        return ledger.transact(
                        Guards.none(),
                        tx -> tx.sql(SAVE)
                                .bind("consumer", CONSUMER)
                                .bind("cursor", cursor)
                                .fetch()
                                .rowsUpdated())
                .then();
    }
}
