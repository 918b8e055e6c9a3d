package io.weighbridge.ledger.http.paging;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one page.
 *
 * @param nextPageToken absent at the end
 */
public record Page<T>(List<T> rows, @Nullable String nextPageToken) {}
