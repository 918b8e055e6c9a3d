/** Read leases: where an object's readable copies are, with permission to read them for some seconds (spec 2.3). */
@NullMarked
package io.weighbridge.lease.readlease;

import org.jspecify.annotations.NullMarked;
