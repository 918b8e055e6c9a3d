package io.weighbridge.metadata.object.postgres;

import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;

/** Where a statement runs: in a transaction, or on a connection for plain reads. */
@FunctionalInterface
public interface Sql {

    /** A statement with named parameters. */
    GenericExecuteSpec sql(String text);
}
