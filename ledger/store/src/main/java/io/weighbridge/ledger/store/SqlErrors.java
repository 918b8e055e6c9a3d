package io.weighbridge.ledger.store;

import io.r2dbc.spi.R2dbcException;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What PostgreSQL's errors mean to a caller, by SQLSTATE. What is not listed is a defect and stays as it is. */
final class SqlErrors {

    private SqlErrors() {}

    /** An error before COMMIT was sent: nothing of the transaction has happened. */
    static Throwable beforeCommit(Throwable error) {
        if (error instanceof ProblemException) {
            return error;
        }
        String state = sqlState(error);
        if (state == null) {
            return isConnectionLost(error)
                    ? problem(ProblemCode.UNAVAILABLE, "the ledger cannot be reached", error)
                    : error;
        }
        return switch (state) {
            case "55P03" -> problem(ProblemCode.BUSY, "another command holds what this one needs", error);
            case "40001", "40P01" -> problem(ProblemCode.BUSY, "the command lost a race; try again", error);
            case "57014" -> problem(ProblemCode.BUSY, "the ledger took too long", error);
            case "25P03", "25P04" -> problem(ProblemCode.UNAVAILABLE, "the transaction took too long", error);
            default ->
                state.startsWith("08") || state.startsWith("57P") || state.startsWith("53")
                        ? problem(ProblemCode.UNAVAILABLE, "the ledger does not take commands now", error)
                        : error;
        };
    }

    /** An error or a time-out after COMMIT was sent: nobody knows (spec 1.9). */
    static ProblemException duringCommit(Throwable error) {
        return problem(
                ProblemCode.DURABILITY_FAILED, "the outcome of the write is unknown; read before retrying", error);
    }

    private static @Nullable String sqlState(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof R2dbcException sql && sql.getSqlState() != null) {
                return sql.getSqlState();
            }
        }
        return null;
    }

    private static boolean isConnectionLost(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException
                    || cause instanceof TimeoutException
                    || cause instanceof io.r2dbc.spi.R2dbcNonTransientResourceException
                    || cause instanceof io.r2dbc.spi.R2dbcTransientResourceException
                    || cause instanceof org.springframework.dao.DataAccessResourceFailureException) {
                return true;
            }
        }
        return false;
    }

    private static ProblemException problem(ProblemCode code, String detail, Throwable cause) {
        ProblemException problem = new ProblemException(code, detail);
        problem.addSuppressed(cause);
        return problem;
    }
}
