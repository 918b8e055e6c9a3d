package io.weighbridge.wire;

import java.util.List;

/**
 * {@code POST /v1/objects/put-revoke}.
 */
public record PutRevoke(List<PutRevoke.Item> items) {

    /** One put to give up. */
    public record Item(String key, String writeToken) {}
}
