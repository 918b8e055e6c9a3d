package io.weighbridge.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/objects/put-end}.
 */
public record PutEnd(List<PutEnd.Item> items) {

    /**
     * @param size bytes written; compared where given
     * @param digest SHA-256 of a METADATA object, tree digest otherwise; compared where given
     */
    public record Item(
            String key,
            String writeToken,
            @Nullable Long size,
            @Nullable String digest) {}
}
