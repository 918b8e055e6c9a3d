package io.weighbridge.suite;

import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.ledger.store.migrate.Migration;
import io.weighbridge.ledger.store.migrate.MigrationException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Brings a PostgreSQL server to the schema that this version needs. */
@Command(
        name = "migrate",
        mixinStandardHelpOptions = true,
        description = "Make or migrate the ledger on a PostgreSQL server: owner role, logins, database, schema.")
final class MigrateCommand implements Callable<Integer> {

    @Option(
            names = "--url",
            required = true,
            paramLabel = "JDBC_URL",
            defaultValue = "${env:WEIGHBRIDGE_ADMIN_URL}",
            description = "The server, such as jdbc:postgresql://host:5432/postgres.")
    private String url = "";

    @Option(
            names = "--user",
            paramLabel = "NAME",
            defaultValue = "${env:WEIGHBRIDGE_ADMIN_USER:-postgres}",
            description = "May create roles and databases (default: ${DEFAULT-VALUE}).")
    private String user = "";

    @Option(
            names = "--database",
            paramLabel = "NAME",
            defaultValue = "weighbridge",
            description = "Default: weighbridge.")
    private String database = "";

    @Override
    public Integer call() {
        try {
            var outcome = new Migration(
                            new Migration.Admin(url, user, secret("WEIGHBRIDGE_ADMIN_PASSWORD")),
                            database,
                            new Migration.Passwords(
                                    secret("WEIGHBRIDGE_METADATA_PASSWORD"),
                                    secret("WEIGHBRIDGE_LEASE_PASSWORD"),
                                    secret("WEIGHBRIDGE_RECONCILIATION_PASSWORD")))
                    .run();
            System.out.println(outcome);
            return 0;
        } catch (MigrationException e) {
            System.err.println("error: " + e.getMessage());
            return 1;
        }
    }

    /** Passwords come from the environment: a command line can be read by every user of a host. */
    private static String secret(String variable) {
        @Nullable String value = System.getenv(variable);
        if (value == null || value.isEmpty()) {
            throw new ProblemException(Problem.invalid(variable, "this environment variable is not set"));
        }
        return value;
    }
}
