package io.weighbridge.wire;

import java.util.List;

/**
 * @param nextCursor where to go on; equals the cursor asked for when there is nothing new
 */
public record FeedPage(List<FeedEntry> entries, String nextCursor) {}
