package io.weighbridge.wire;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * @param reclaim copies whose extents the agent frees now; repeated until it has reported FREED
 * @param closeTokens copies whose write tokens the agent closes now; repeated until it has reported CLOSED
 * @param keysVersion the newest key version of this node; fetch keys when it is unknown
 */
public record HeartbeatAnswer(Instant databaseTime, List<UUID> reclaim, List<UUID> closeTokens, int keysVersion) {}
