package io.weighbridge.ledger.store.migrate;

import org.jspecify.annotations.Nullable;

/** The ledger cannot be migrated; the message tells a person why and what to do. */
public final class MigrationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MigrationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
