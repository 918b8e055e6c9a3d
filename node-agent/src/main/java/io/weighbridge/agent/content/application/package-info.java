/** Bytes in and out of this node's extents, with every rule of tokens and leases (spec 2.2, 2.3). */
@NullMarked
package io.weighbridge.agent.content.application;

import org.jspecify.annotations.NullMarked;
