/** Revision leases: a reader process says which revision it reads, so that its last readable copies stay (spec 1.5). */
@NullMarked
package io.weighbridge.lease.revisionlease;

import org.jspecify.annotations.NullMarked;
