/** Runs what agents ask and watches over their heartbeats. */
@NullMarked
package io.weighbridge.metadata.node.application;

import org.jspecify.annotations.NullMarked;
