package io.weighbridge.ledger.http.example;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A body with everything that can be wrong in one.
 *
 * @param note what the weigher says, absent when silent
 * @param grossBytes with the wagon, in bytes
 */
public record Weighing(
        UUID wagonId,
        long grossBytes,
        int axles,
        Kind kind,
        List<Weighing.Item> items,
        @Nullable String note,
        @Nullable Integer tare) {

    /** One thing on the wagon. */
    public record Item(String key, @Nullable Boolean fragile) {}

    /** What is weighed. */
    public enum Kind {
        FULL,
        EMPTY
    }
}
