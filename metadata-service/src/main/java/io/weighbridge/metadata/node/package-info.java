/** Nodes and their segments (spec 2.6). */
@NullMarked
package io.weighbridge.metadata.node;

import org.jspecify.annotations.NullMarked;
