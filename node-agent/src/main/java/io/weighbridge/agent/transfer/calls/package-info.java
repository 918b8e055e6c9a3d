/** Fetching from peers. */
@NullMarked
package io.weighbridge.agent.transfer.calls;

import org.jspecify.annotations.NullMarked;
