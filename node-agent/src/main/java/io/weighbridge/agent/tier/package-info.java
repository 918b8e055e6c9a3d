/**
 * Segments and their extents (spec 4.1): where payload bytes lie on this node, whatever the technology. Every operation
 * that touches bytes may block and is called from the agent's own threads, never from an event loop.
 */
@NullMarked
package io.weighbridge.agent.tier;

import org.jspecify.annotations.NullMarked;
