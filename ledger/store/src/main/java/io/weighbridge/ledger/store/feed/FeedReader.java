package io.weighbridge.ledger.store.feed;

import static io.weighbridge.ledger.store.LedgerTransaction.column;

import io.r2dbc.spi.Connection;
import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Statement;
import io.weighbridge.ledger.store.feed.FeedScan.Clock;
import io.weighbridge.ledger.store.feed.FeedScan.Entry;
import io.weighbridge.ledger.vocabulary.EntryKind;
import io.weighbridge.wire.FeedEntry;
import io.weighbridge.wire.WireJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the oplog in feed order. Entries and watermark come from one statement, hence one snapshot: an entry is shown
 * only when every transaction with a smaller number is over, so none can appear later in front of it.
 */
final class FeedReader {

    private static final String CLOCK = """
            SELECT ledger.epoch() AS epoch, pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS xmin,
                   pg_current_snapshot()::text AS snapshot,
                   h.ledger_epoch AS horizon_epoch, h.xid AS horizon_xid, h.seq AS horizon_seq
              FROM ledger.feed_horizon h
            """;

    /** The row comparisons are what the index on (ledger_epoch, xid, seq) answers. */
    private static final String SCAN = """
            WITH clock AS MATERIALIZED (%s),
            scanned AS MATERIALIZED (
                SELECT ledger_epoch, xid, seq, kind, entity, entity_id, entity_version, tenant_id, revision_id, node_id,
                       subject, at, state
                  FROM ledger.oplog
                 WHERE (ledger_epoch, xid, seq) > ($1, $2, $3)
                   AND (ledger_epoch, xid) < ((SELECT epoch FROM clock), (SELECT xmin FROM clock))
                 ORDER BY ledger_epoch, xid, seq
                 LIMIT $4),
            matching AS (
                SELECT *
                  FROM scanned
                 WHERE ($6::text IS NULL OR tenant_id = $6)
                   AND ($7::smallint[] IS NULL OR kind = ANY ($7))
                   AND ($8::text IS NULL OR revision_id = $8)
                   AND ($9::uuid IS NULL OR node_id = $9)
                 ORDER BY ledger_epoch, xid, seq
                 LIMIT $5)
            SELECT clock.*, (SELECT count(*) FROM scanned) AS scanned,
                   last.ledger_epoch AS last_epoch, last.xid AS last_xid, last.seq AS last_seq,
                   m.ledger_epoch, m.xid, m.seq, m.kind, m.entity, m.entity_id, m.entity_version, m.tenant_id,
                   m.revision_id, m.node_id, m.subject, m.at, m.state::text AS state
              FROM clock
              LEFT JOIN (SELECT ledger_epoch, xid, seq
                           FROM scanned
                          ORDER BY ledger_epoch DESC, xid DESC, seq DESC
                          LIMIT 1) last ON true
              LEFT JOIN matching m ON true
             ORDER BY m.ledger_epoch, m.xid, m.seq
            """.formatted(CLOCK);

    private static final TypeReference<Map<String, Object>> STATE = new TypeReference<>() {};

    private final JsonMapper json = WireJson.newMapper();

    Mono<Clock> clock(Connection connection) {
        return Flux.from(connection.createStatement(CLOCK).execute())
                .concatMap(result -> result.map(row -> clock(row)))
                .single();
    }

    /**
     * Looks at the entries that follow a position.
     *
     * @param scanLimit how many entries to look at
     * @param limit how many matching ones to take
     */
    Mono<FeedScan> scan(Connection connection, FeedPosition from, int scanLimit, int limit, FeedFilter filter) {
        Statement statement = connection
                .createStatement(SCAN)
                .bind("$1", from.epoch())
                .bind("$2", from.xid())
                .bind("$3", from.seq())
                .bind("$4", scanLimit)
                .bind("$5", limit);
        bind(statement, "$6", filter.tenantId(), String.class);
        bind(statement, "$7", kinds(filter), Short[].class);
        bind(statement, "$8", filter.revisionId(), String.class);
        bind(statement, "$9", filter.nodeId(), UUID.class);
        return Flux.from(statement.execute())
                .concatMap(result -> result.map(row -> row(row)))
                .collectList()
                .map(rows -> scan(rows, scanLimit, limit));
    }

    private static FeedScan scan(List<Row> rows, int scanLimit, int limit) {
        List<Entry> entries = new ArrayList<>(rows.size());
        for (Row row : rows) {
            if (row.entry() != null) {
                entries.add(row.entry());
            }
        }
        Row first = rows.getFirst();
        boolean full = entries.size() >= limit;
        FeedPosition scannedTo = full ? entries.getLast().position() : first.last();
        return new FeedScan(first.clock(), entries, scannedTo, !full && first.scanned() < scanLimit);
    }

    private record Row(
            Clock clock,
            long scanned,
            @Nullable FeedPosition last,
            @Nullable Entry entry) {}

    private Row row(Readable row) {
        Clock clock = clock(row);
        FeedPosition last = position(row, "last_epoch", "last_xid", "last_seq");
        FeedPosition position = position(row, "ledger_epoch", "xid", "seq");
        Entry entry = position == null ? null : new Entry(position, body(row, clock, position));
        return new Row(clock, number(row, "scanned"), last, entry);
    }

    private FeedEntry body(Readable row, Clock clock, FeedPosition position) {
        return new FeedEntry(
                new FeedCursor(clock.epoch(), position).text(),
                kindName((int) number(row, "kind")),
                text(row, "entity"),
                text(row, "entity_id"),
                number(row, "entity_version"),
                text(row, "tenant_id"),
                row.get("revision_id", String.class),
                row.get("node_id", UUID.class),
                text(row, "subject"),
                Objects.requireNonNull(row.get("at", Instant.class)),
                json.readValue(text(row, "state"), STATE));
    }

    /** An entry of a newer instance is passed on, under its number, rather than holding up all that follow. */
    private static String kindName(int number) {
        return Stream.of(EntryKind.values())
                .filter(kind -> kind.number() == number)
                .findFirst()
                .map(EntryKind::name)
                .orElse("Kind" + number);
    }

    private static Clock clock(Readable row) {
        FeedPosition horizon = position(row, "horizon_epoch", "horizon_xid", "horizon_seq");
        return new Clock(
                number(row, "epoch"), number(row, "xmin"), text(row, "snapshot"), Objects.requireNonNull(horizon));
    }

    private static @Nullable FeedPosition position(Readable row, String epoch, String xid, String seq) {
        Long value = row.get(epoch, Long.class);
        return value == null ? null : new FeedPosition(value, number(row, xid), number(row, seq));
    }

    private static long number(Readable row, String name) {
        return Objects.requireNonNull(row.get(name, Long.class), name);
    }

    private static String text(Readable row, String name) {
        return Objects.requireNonNull(row.get(name, String.class), name);
    }

    private static Short @Nullable [] kinds(FeedFilter filter) {
        return filter.kinds().isEmpty() ? null : column(filter.kinds(), EntryKind::number, new Short[0]);
    }

    private static <T> void bind(Statement statement, String name, @Nullable T value, Class<T> type) {
        if (value == null) {
            statement.bindNull(name, type);
        } else {
            statement.bind(name, value);
        }
    }
}
