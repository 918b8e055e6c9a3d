/** A node's life and its segments' (spec 2.6): registration, heartbeats, suspicion, death. Pure. */
@NullMarked
package io.weighbridge.metadata.node.domain;

import org.jspecify.annotations.NullMarked;
