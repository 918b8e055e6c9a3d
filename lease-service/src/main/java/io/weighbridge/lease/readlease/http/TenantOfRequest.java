package io.weighbridge.lease.readlease.http;

import io.weighbridge.ledger.http.security.Caller;
import io.weighbridge.ledger.http.security.Scope;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemException;
import org.jspecify.annotations.Nullable;

/** Whose objects a caller means. Services and agents act for tenants and name one; others have their own. */
public final class TenantOfRequest {

    private TenantOfRequest() {}

    /**
     * @param named the query parameter {@code tenant_id}
     * @throws ProblemException PERMISSION_DENIED without {@code objects:read} and for a foreign tenant,
     *     INVALID_ARGUMENT when a service or agent names none
     */
    public static String of(Caller caller, @Nullable String named) {
        caller.require(Scope.OBJECTS_READ, Scope.NODES_AGENT);
        if (named != null) {
            Validation.tenant("tenant_id", named);
        }
        boolean actsForTenants = caller.isInternal() || caller.has(Scope.NODES_AGENT);
        if (named == null && actsForTenants && caller.tenantId() == null) {
            throw new ProblemException(Problem.invalid("tenant_id", "is missing"));
        }
        return named != null && actsForTenants ? named : caller.tenant(named);
    }
}
