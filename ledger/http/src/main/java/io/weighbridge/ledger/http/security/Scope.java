package io.weighbridge.ledger.http.security;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** What a credential allows (spec 5.3). */
public enum Scope {
    WEIGHTS_READ("weights:read"),
    WEIGHTS_WRITE("weights:write"),
    WEIGHTS_ADMIN("weights:admin"),
    OBJECTS_READ("objects:read"),
    OBJECTS_WRITE("objects:write"),
    OBJECTS_ADMIN("objects:admin"),
    /** An agent's own calls. */
    NODES_AGENT("nodes:agent"),
    /** Update cycles and device memory. */
    UPDATES_OPERATE("updates:operate"),
    /** Sees across tenants. */
    PLATFORM_ADMIN("platform:admin"),
    /** A service of this system; acts across tenants. */
    LEDGER_INTERNAL("ledger:internal");

    private final String text;

    Scope(String text) {
        this.text = text;
    }

    /** As it stands in tokens. */
    public String text() {
        return text;
    }

    /** The scope of that name; others' tokens may carry scopes that mean nothing here. */
    public static Optional<Scope> parse(String text) {
        return Arrays.stream(values()).filter(scope -> scope.text.equals(text)).findFirst();
    }

    /** Every scope within one tenant. */
    public static Set<Scope> ofTenant() {
        return EnumSet.of(
                WEIGHTS_READ,
                WEIGHTS_WRITE,
                WEIGHTS_ADMIN,
                OBJECTS_READ,
                OBJECTS_WRITE,
                OBJECTS_ADMIN,
                UPDATES_OPERATE);
    }

    /** This scope and what it includes: admin includes write, write includes read. */
    Set<Scope> included() {
        return switch (this) {
            case WEIGHTS_WRITE -> EnumSet.of(WEIGHTS_WRITE, WEIGHTS_READ);
            case WEIGHTS_ADMIN -> EnumSet.of(WEIGHTS_ADMIN, WEIGHTS_WRITE, WEIGHTS_READ);
            case OBJECTS_WRITE -> EnumSet.of(OBJECTS_WRITE, OBJECTS_READ);
            case OBJECTS_ADMIN -> EnumSet.of(OBJECTS_ADMIN, OBJECTS_WRITE, OBJECTS_READ);
            case PLATFORM_ADMIN -> EnumSet.of(PLATFORM_ADMIN, WEIGHTS_READ, OBJECTS_READ);
            case LEDGER_INTERNAL -> {
                Set<Scope> all = ofTenant();
                all.add(LEDGER_INTERNAL);
                yield all;
            }
            case WEIGHTS_READ, OBJECTS_READ, NODES_AGENT, UPDATES_OPERATE -> EnumSet.of(this);
        };
    }
}
