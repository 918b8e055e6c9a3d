package io.weighbridge.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The resources of one namespace.
 *
 * @param nextPageToken absent at the end
 */
public record ResourcePage(List<String> resources, @Nullable String nextPageToken) {}
