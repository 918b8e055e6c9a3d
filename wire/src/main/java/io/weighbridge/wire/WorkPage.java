package io.weighbridge.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/internal/work?after=}: revisions that need a look, in the order of their ids.
 *
 * @param next pass as {@code after}; absent at the end
 */
public record WorkPage(List<String> revisionIds, @Nullable String next) {}
