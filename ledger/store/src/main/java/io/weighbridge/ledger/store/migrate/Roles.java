package io.weighbridge.ledger.store.migrate;

import io.weighbridge.ledger.store.Writer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.PGConnection;

/** The owner of everything, who cannot log in, and one login per service, which owns nothing. */
final class Roles {

    static final String OWNER = "weighbridge_owner";

    private static final String UNPRIVILEGED = " NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS";

    private final Connection connection;
    private final List<String> done = new ArrayList<>();

    Roles(Connection connection) {
        this.connection = connection;
    }

    static String login(Writer writer) {
        return "weighbridge_" + writer.schema();
    }

    /** Makes what is missing, and sets the passwords. */
    List<String> create(Migration.Passwords passwords) throws SQLException {
        if (!exists(OWNER)) {
            execute("CREATE ROLE " + OWNER + " NOLOGIN");
            done.add("created role " + OWNER);
        }
        letAdministratorBecomeOwner();
        for (Writer writer : Writer.values()) {
            String login = login(writer);
            if (!exists(login)) {
                execute("CREATE ROLE " + login + " LOGIN");
                done.add("created login " + login);
            }
            requireUnprivileged(login);
            // The client library sends only the verifier, so that no log of statements holds the password.
            connection
                    .unwrap(PGConnection.class)
                    .alterUserPassword(login, passwords.of(writer).toCharArray(), "scram-sha-256");
        }
        return done;
    }

    /** A superuser may become anybody; another administrator needs the right to become the owner. */
    private void letAdministratorBecomeOwner() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT pg_has_role(current_user, '" + OWNER + "', 'SET')")) {
            rows.next();
            if (!rows.getBoolean(1)) {
                execute("GRANT " + OWNER + " TO CURRENT_USER WITH SET TRUE");
            }
        }
    }

    private void requireUnprivileged(String login) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls
                       OR pg_has_role(oid, ?, 'MEMBER')
                  FROM pg_roles WHERE rolname = ?
                """)) {
            statement.setString(1, OWNER);
            statement.setString(2, login);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                if (rows.getBoolean(1)) {
                    execute("ALTER ROLE " + login + UNPRIVILEGED);
                    execute("REVOKE " + OWNER + " FROM " + login);
                    done.add("took privileges from " + login);
                }
            }
        }
    }

    private boolean exists(String role) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT 1 FROM pg_roles WHERE rolname = ?")) {
            statement.setString(1, role);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
