package io.weighbridge.wire;

import java.util.List;

/**
 * {@code POST /v1/pages/resolve} (spec 2.4).
 */
public record ResolvePages(List<ResolvePages.Page> pages) {

    /** One logical page, which is a hit only if all its objects are. */
    public record Page(String pageId, List<String> keys) {}
}
