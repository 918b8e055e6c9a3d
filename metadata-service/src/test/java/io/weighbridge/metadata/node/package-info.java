/** Nodes proven over HTTP against PostgreSQL, and their rules in memory. */
@NullMarked
package io.weighbridge.metadata.node;

import org.jspecify.annotations.NullMarked;
