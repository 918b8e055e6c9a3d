package io.weighbridge.ledger.store.embedded;

import org.jspecify.annotations.Nullable;

/** The server cannot be started here; the message tells a person why and what to do. */
public final class EmbeddedPostgresqlException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    EmbeddedPostgresqlException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
