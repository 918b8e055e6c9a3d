/** Pulls of whole objects from peers and between tiers; its port is a way to fetch bytes. */
@NullMarked
package io.weighbridge.agent.transfer;

import org.jspecify.annotations.NullMarked;
