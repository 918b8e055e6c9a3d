/** Tests. */
@NullMarked
package io.weighbridge.lease.revisionlease;

import org.jspecify.annotations.NullMarked;
