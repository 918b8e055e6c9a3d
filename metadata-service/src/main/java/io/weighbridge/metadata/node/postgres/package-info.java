/** The rows of nodes and segments; the projection here is their only writer but for used bytes. */
@NullMarked
package io.weighbridge.metadata.node.postgres;

import org.jspecify.annotations.NullMarked;
