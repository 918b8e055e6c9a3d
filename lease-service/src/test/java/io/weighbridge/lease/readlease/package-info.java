/** Tests. */
@NullMarked
package io.weighbridge.lease.readlease;

import org.jspecify.annotations.NullMarked;
