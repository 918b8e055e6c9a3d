package io.weighbridge.ledger.http.json;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How callers know a Java type: no class name leaves the process. */
public final class TypeNames {

    private TypeNames() {}

    /** Such as {@code integer} or {@code UUID}. */
    public static String of(@Nullable Class<?> type) {
        if (type == null) {
            return "value";
        }
        if (type == int.class || type == Integer.class) {
            return "integer of 32 bits";
        }
        if (type == long.class || type == Long.class) {
            return "integer of 64 bits";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "boolean";
        }
        if (type == double.class || type == Double.class || type == float.class || type == Float.class) {
            return "number";
        }
        if (type == UUID.class) {
            return "UUID";
        }
        if (type == Instant.class) {
            return "time (RFC 3339)";
        }
        if (type == Duration.class) {
            return "duration";
        }
        if (CharSequence.class.isAssignableFrom(type)) {
            return "text";
        }
        if (Collection.class.isAssignableFrom(type) || type.isArray()) {
            return "array";
        }
        return type.isRecord() || Map.class.isAssignableFrom(type) ? "object" : "value";
    }
}
