package io.weighbridge.ledger.store.migrate;

import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import reactor.core.publisher.Mono;

/**
 * What a service verifies before it takes part. Its schema must be at least the one this software brings: migrations
 * only add, so an older instance goes on during a rolling upgrade, while a newer one waits for {@code migrate}.
 */
public final class SchemaCheck {

    /** Below this many prepared days an instance is not ready (spec 1.9). */
    public static final int DAYS_AHEAD_NEEDED = 2;

    private static final String UNDEFINED_TABLE = "42P01";
    private static final String INVALID_SCHEMA = "3F000";

    private final DatabaseClient client;
    private final boolean allowUnsafe;

    /** @param allowUnsafe accept a server that does not keep what it acknowledged, for experiments only */
    public SchemaCheck(DatabaseClient client, boolean allowUnsafe) {
        this.client = client;
        this.allowUnsafe = allowUnsafe;
    }

    /** The ledger is not fit to be used; the message tells a person what to do. */
    public static final class UnfitLedgerException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnfitLedgerException(String message) {
            super(message);
        }
    }

    /** Completes, or errs with {@link UnfitLedgerException}; what cannot be asked now errs as it is. */
    public Mono<Void> verify() {
        return requireVersion().then(requireSettings());
    }

    /** For how many days after today every writer has a place for its entries. */
    public Mono<Integer> daysAhead() {
        return client.sql("SELECT ledger.days_ahead() AS days")
                .map(row -> Objects.requireNonNull(row.get("days", Integer.class)))
                .one();
    }

    private Mono<Void> requireVersion() {
        return client.sql("SELECT max(version::int) AS version FROM " + SchemaVersion.HISTORY + " WHERE success")
                .map(row -> Objects.requireNonNullElse(row.get("version", Integer.class), 0))
                .one()
                .onErrorResume(SchemaCheck::isMissing, error -> Mono.just(0))
                .flatMap(version -> version >= SchemaVersion.NEWEST
                        ? Mono.empty()
                        : Mono.error(new UnfitLedgerException("the ledger's schema has version " + version
                                + " and this software needs " + SchemaVersion.NEWEST
                                + ": run ./weighbridge migrate")));
    }

    private Mono<Void> requireSettings() {
        return client.sql("""
                        SELECT current_setting('fsync') AS fsync,
                               current_setting('full_page_writes') AS full_page_writes,
                               current_setting('synchronous_commit') AS synchronous_commit,
                               current_setting('max_prepared_transactions') AS max_prepared_transactions
                        """)
                .map((row, metadata) -> unsafe(row))
                .one()
                .flatMap(unsafe -> unsafe.isEmpty() || allowUnsafe
                        ? Mono.empty()
                        : Mono.error(new UnfitLedgerException("the ledger's server would lose acknowledged writes ("
                                + String.join(", ", unsafe)
                                + "); correct its settings, or set weighbridge.ledger.allow-unsafe=true for an"
                                + " experiment")));
    }

    private static List<String> unsafe(Row row) {
        List<String> unsafe = new ArrayList<>();
        for (String setting : List.of("fsync", "full_page_writes", "synchronous_commit")) {
            if ("off".equals(row.get(setting, String.class))) {
                unsafe.add(setting + "=off");
            }
        }
        String prepared = row.get("max_prepared_transactions", String.class);
        if (!"0".equals(prepared)) {
            unsafe.add("max_prepared_transactions=" + prepared);
        }
        return unsafe;
    }

    private static boolean isMissing(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof R2dbcException sql
                    && (UNDEFINED_TABLE.equals(sql.getSqlState()) || INVALID_SCHEMA.equals(sql.getSqlState()))) {
                return true;
            }
        }
        return false;
    }
}
