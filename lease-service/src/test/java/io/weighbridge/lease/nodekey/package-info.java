/** Tests. */
@NullMarked
package io.weighbridge.lease.nodekey;

import org.jspecify.annotations.NullMarked;
