/** The rows of {@code lease.node_key}. */
@NullMarked
package io.weighbridge.lease.nodekey.postgres;

import org.jspecify.annotations.NullMarked;
