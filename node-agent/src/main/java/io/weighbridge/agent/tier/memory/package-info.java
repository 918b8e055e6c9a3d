/** The memory tier: one arena, a memfd mapped once, cut into extents; its bytes are lost with the process. */
@NullMarked
package io.weighbridge.agent.tier.memory;

import org.jspecify.annotations.NullMarked;
