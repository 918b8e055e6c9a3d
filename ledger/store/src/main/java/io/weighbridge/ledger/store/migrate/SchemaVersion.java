package io.weighbridge.ledger.store.migrate;

/** The newest migration that this software brings. A test compares it with the files. */
public final class SchemaVersion {

    public static final int NEWEST = 4;

    /** Where Flyway keeps what it has applied. */
    static final String HISTORY_SCHEMA = "flyway";

    static final String HISTORY = HISTORY_SCHEMA + ".flyway_schema_history";

    private SchemaVersion() {}
}
