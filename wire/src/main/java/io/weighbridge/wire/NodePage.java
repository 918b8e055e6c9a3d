package io.weighbridge.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * @param nextPageToken absent at the end
 */
public record NodePage(List<NodeView> nodes, @Nullable String nextPageToken) {}
