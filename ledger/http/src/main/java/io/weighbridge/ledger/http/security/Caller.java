package io.weighbridge.ledger.http.security;

import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who calls (spec 5.3). A controller takes it as an argument.
 *
 * @param tenantId the credential's tenant; absent for services and agents
 * @param subject who it is, as the oplog records it
 * @param scopes what it may do, with what those scopes include
 */
public record Caller(@Nullable String tenantId, String subject, Set<Scope> scopes) {

    /** The tenant of requests without credential on a loopback listener. */
    public static final String DEFAULT_TENANT = "default";

    /** The subject of requests without credential on a loopback listener. */
    public static final String LOCAL_SUBJECT = "local";

    public Caller {
        EnumSet<Scope> all = EnumSet.noneOf(Scope.class);
        scopes.forEach(scope -> all.addAll(scope.included()));
        scopes = Set.copyOf(all);
    }

    /** Whoever calls a loopback listener without credential. */
    public static Caller local() {
        return new Caller(DEFAULT_TENANT, LOCAL_SUBJECT, Scope.ofTenant());
    }

    /**
     * The credential's tenant.
     *
     * @throws ProblemException PERMISSION_DENIED when it has none
     */
    public String tenant() {
        if (tenantId == null) {
            throw denied("the credential of " + subject + " belongs to no tenant");
        }
        return tenantId;
    }

    /**
     * The tenant that a body or query names, or the credential's own. Another one is refused, never replaced, unless
     * the caller acts across tenants.
     *
     * @throws ProblemException PERMISSION_DENIED for a foreign tenant
     */
    public String tenant(@Nullable String named) {
        if (named == null) {
            return tenant();
        }
        if (!named.equals(tenantId) && !seesAllTenants()) {
            throw denied("the credential does not belong to the tenant that the request names");
        }
        return named;
    }

    /** The caller has at least one of the scopes. */
    public boolean has(Scope... anyOf) {
        for (Scope scope : anyOf) {
            if (scopes.contains(scope)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Demands at least one of the scopes.
     *
     * @return this caller
     * @throws ProblemException PERMISSION_DENIED
     */
    public Caller require(Scope... anyOf) {
        if (!has(anyOf)) {
            StringBuilder wanted = new StringBuilder();
            for (Scope scope : anyOf) {
                wanted.append(wanted.isEmpty() ? "" : " or ").append(scope.text());
            }
            throw denied("needs scope " + wanted);
        }
        return this;
    }

    /** A service of this system: acts across tenants. */
    public boolean isInternal() {
        return scopes.contains(Scope.LEDGER_INTERNAL);
    }

    /** Sees across tenants: a service, or an operator of the platform. */
    public boolean seesAllTenants() {
        return isInternal() || scopes.contains(Scope.PLATFORM_ADMIN);
    }

    private static ProblemException denied(String detail) {
        return new ProblemException(Problem.of(ProblemCode.PERMISSION_DENIED, detail));
    }
}
