package io.weighbridge.metadata.revision.postgres;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;

/** Parameters that may be null, which R2DBC wants to be told the type of. */
final class Bindings {

    private Bindings() {}

    static GenericExecuteSpec orNull(GenericExecuteSpec spec, String name, @Nullable Object value, Class<?> type) {
        return value == null ? spec.bindNull(name, type) : spec.bind(name, value);
    }

    static UUID @Nullable [] array(@Nullable List<UUID> ids) {
        return ids == null ? null : ids.toArray(UUID[]::new);
    }
}
