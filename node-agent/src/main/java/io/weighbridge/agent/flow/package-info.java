/** Bounds on what is in flight: bytes held by transfers and downloads, and the threads that may block. */
@NullMarked
package io.weighbridge.agent.flow;

import org.jspecify.annotations.NullMarked;
