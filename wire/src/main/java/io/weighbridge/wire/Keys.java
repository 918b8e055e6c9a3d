package io.weighbridge.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of {@code exists}, {@code locate} and {@code remove}, 1 to 1000 keys.
 *
 * @param force remove only: also removes pinned objects
 * @param readLeaseTtlMs locate only: how long the read leases shall last, at most the configured maximum
 */
public record Keys(
        List<String> keys,
        @Nullable Boolean force,
        @Nullable Long readLeaseTtlMs) {}
