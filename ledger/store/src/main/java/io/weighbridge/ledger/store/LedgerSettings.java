package io.weighbridge.ledger.store;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where the ledger is and how it is used.
 *
 * @param url {@code r2dbc:postgresql://host:port/database}, without credentials
 * @param username the service's own login, never the owner
 * @param connections in all; half of them carry commands, half reads
 * @param lockTimeout how long a statement waits for a lock before the command is BUSY
 * @param transactionTimeout the last net: the server ends the session of a longer transaction
 * @param commitTimeout how long a COMMIT may take before its outcome is called unknown
 * @param allowUnsafe start although the server does not keep what it acknowledged; for experiments only
 */
@ConfigurationProperties("weighbridge.ledger")
public record LedgerSettings(
        String url,
        String username,
        String password,
        @DefaultValue("16") int connections,
        @DefaultValue("2s") Duration lockTimeout,
        @DefaultValue("5s") Duration transactionTimeout,
        @DefaultValue("5s") Duration commitTimeout,
        @DefaultValue("false") boolean allowUnsafe) {

    /** How many connections carry commands. */
    int commandConnections() {
        return connections - connections / 2;
    }

    /** How many connections carry reads. */
    int readConnections() {
        return Math.max(1, connections / 2);
    }

    /** Without the password, so that it reaches no log. */
    @Override
    public String toString() {
        return "LedgerSettings[url=" + url + ", username=" + username + "]";
    }
}
