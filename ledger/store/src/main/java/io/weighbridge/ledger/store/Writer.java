package io.weighbridge.ledger.store;

/** The services that write to the ledger; each has a schema, a login and an oplog partition of its own. */
public enum Writer {
    METADATA("metadata"),
    LEASE("lease"),
    RECONCILIATION("reconciliation");

    private final String schema;

    Writer(String schema) {
        this.schema = schema;
    }

    /** The schema's name, which is the oplog's writer too. */
    public String schema() {
        return schema;
    }

    /** The only oplog table into which this writer's login may insert. */
    String oplogTable() {
        return "ledger.oplog_" + schema;
    }
}
